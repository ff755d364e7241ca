# The two commands, and little else. Each installs what it needs, and neither needs the other.
.DEFAULT_GOAL := help
.PHONY: help climb test check build docs clean
MAKEFLAGS += --no-print-directory

help: ## Says what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

climb: ## Installs what is missing, builds, probes the machine, climbs every ladder at its quick size, names the report
	@packages/install required optional
	@packages/venv peers hdf5 partition labs shapes
	@packages/build release bench
	@./rooftop climb --size quick

test: ## Installs what is missing, builds, passes every test; ends with 'N passed, N failed'
	@packages/install required optional test
	@packages/venv dev peers hdf5 partition labs shapes gmsh docs team parquet
	@.venv/bin/python .ci/suite.py

check: ## Linters and types only, on what has changed
	@packages/install required test
	@packages/venv dev docs
	@.venv/bin/python .ci/suite.py --checks-only

build: ## Builds what is measured, without installing anything
	@packages/build release

docs: ## Makes the documentation site, build/site/index.html
	@packages/venv docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict

clean: ## Removes what was built; .venv and .rooftop (what was measured) stay
	@rm -rf build
