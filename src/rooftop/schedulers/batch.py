"""A batch system that psij does not have: its programs, and a template of its batch scripts in the same file."""

from __future__ import annotations

from typing import IO, Any, ClassVar

import pystache
from psij import Job, SubmitException
from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutor, BatchSchedulerExecutorConfig
from psij.executors.batch.escape_functions import bash_escape
from psij.executors.batch.script_generator import SubmitScriptGenerator, TemplatedScriptGenerator

# What follows the directives of a scheduler. What the campaign prints goes to files of the job's own.
LAUNCHED = """\
exec >> "{{psij.script_dir}}/launch.out" 2>&1
{{#psij.launch_command}}{{.}} {{/psij.launch_command}}
"""


class _Generator(TemplatedScriptGenerator):
    """Writes batch scripts from a template that is no file."""

    def __init__(self, config: BatchSchedulerExecutorConfig, template: str) -> None:
        SubmitScriptGenerator.__init__(self, config)
        self.template = pystache.parse(template)
        self.renderer = pystache.Renderer(escape=bash_escape)


class BatchSystem(BatchSchedulerExecutor):
    """See psij's BatchSchedulerExecutor.

    template  of the directives, in Mustache, as psij fills it
    deleting  the program that cancels a job
    """

    template: ClassVar[str]
    deleting: ClassVar[str]

    def __init__(self, url: str | None = None, config: BatchSchedulerExecutorConfig | None = None) -> None:
        """See psij's JobExecutor."""
        super().__init__(url=url, config=config)
        self.generator: Any = _Generator(self._get_config(config), self.template + LAUNCHED)

    def generate_submit_script(self, job: Job, context: dict[str, object], submit_file: IO[str]) -> None:
        """See psij's BatchSchedulerExecutor."""
        self.generator.generate_submit_script(job, context, submit_file)

    def get_cancel_command(self, native_id: str) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return [self.deleting, native_id]

    def process_cancel_command_output(self, exit_code: int, out: str) -> None:
        """See psij's BatchSchedulerExecutor."""
        raise SubmitException(out)

    def get_list_command(self) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return self.get_status_command([])

    def parse_list_output(self, out: str) -> list[str]:
        """See psij's BatchSchedulerExecutor."""
        return list(self.parse_status_output(0, out))
