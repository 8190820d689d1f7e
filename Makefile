# Shortcuts for common tasks, based on the presets of CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help demo test test-cpp test-python wheel bench bench-micro experiments-shapes experiments-fairness experiments-adaptation experiments-starts experiments-scale experiments-test research-env animation check-format format lint coverage sanitize tsan clean

INSTALL := cmake/install-system-packages
RESEARCH_ENV := build/research-env/installed
STUDIES := shapes fairness adaptation starts scale
# Python 3.10 or newer. The package is built and tested in separate environments below build/.
PYTHON ?= python3
WHEEL_ENV := build/python/wheel-env
TEST_ENV := build/python/test-env
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
SOURCES = $(shell git ls-files '*.cpp' '*.hpp')

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-23s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## draw and morph silhouettes and transport a table of points; results are in build/demo
	@$(INSTALL) build
	cmake --preset default
	cmake --build --preset default --target lbw_program lbw_demo
	demo/run build/default build/demo

test: test-cpp test-python ## build everything and run every test

test-cpp: ## run the tests of library and program
	@$(INSTALL) build
	cmake --preset default
	cmake --build --preset default
	ctest --preset default -j 2

test-python: wheel ## run the tests of the Python package on its wheel
	test -d $(TEST_ENV) || $(PYTHON) -m venv $(TEST_ENV)
	$(TEST_ENV)/bin/python $(PIP_INSTALL) --force-reinstall --no-deps build/python/dist/lbw-*.whl
	$(TEST_ENV)/bin/python $(PIP_INSTALL) "lbw[test]" --find-links build/python/dist
	$(TEST_ENV)/bin/ruff check .
	$(TEST_ENV)/bin/ruff format --check .
	$(TEST_ENV)/bin/mypy
	$(TEST_ENV)/bin/python -m pytest

wheel: ## build the Python package in build/python/dist
	@$(INSTALL) build python
	cmake --preset default
	cmake --build --preset default --target lbw lbw_program
	rm -rf build/prefix
	cmake --install build/default --prefix build/prefix > build/default/install.log
	test -d $(WHEEL_ENV) || $(PYTHON) -m venv $(WHEEL_ENV)
	$(WHEEL_ENV)/bin/python $(PIP_INSTALL) pip scikit-build-core nanobind nanobind-backend
	rm -rf build/python/dist
	$(WHEEL_ENV)/bin/python -m pip wheel . --quiet --disable-pip-version-check --no-deps \
	  --no-build-isolation --wheel-dir build/python/dist \
	  --config-settings=cmake.define.LBW_PREFIX=$(CURDIR)/build/prefix

bench: ## compare lbw with other libraries, results in research/results/bench and docs/performance.md; QUICK=1 for a short run
	@$(INSTALL) build bench
	cmake --preset dev
	cmake --build --preset dev --target lbw_bench_workers lbw_program
	@$(MAKE) --no-print-directory research-env
	research/run bench $(if $(QUICK),--quick)

experiments-shapes: ## run the study of shapes, results in research/results/shapes; QUICK=1 for a short run
experiments-fairness: ## run the study of demographic parity, results in research/results/fairness; QUICK=1 for a short run
experiments-adaptation: ## run the study of domain adaptation, results in research/results/adaptation; QUICK=1 for a short run
experiments-starts: ## run the study of EM initialization, results in research/results/starts; QUICK=1 for a short run
experiments-scale: ## measure fits on Spark and from files, results in research/results/scale; QUICK=1 for a short run
$(STUDIES:%=experiments-%): experiments-%: research-env
	research/run $* $(if $(QUICK),--quick)

experiments-test: research-env ## run the tests of the benchmark and of the studies
	PYTHONPATH=research OMP_NUM_THREADS=1 build/research-env/bin/python -m pytest research/tests

animation: demo $(RESEARCH_ENV) ## draw docs/images/morph.gif with lbw morph
	build/research-env/bin/python demo/animate.py build/default/cli/lbw build/demo docs/images/morph.gif

research-env: wheel $(RESEARCH_ENV) ## build the environment of the benchmark and the studies
	build/research-env/bin/python $(PIP_INSTALL) --force-reinstall --no-deps build/python/dist/lbw-*.whl

$(RESEARCH_ENV): research/requirements.txt
	rm -rf $(@D)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP_INSTALL) -r $<
	touch $@

bench-micro: ## time the inner loops; median of five repetitions
	@$(INSTALL) build bench
	cmake --preset dev
	cmake --build --preset dev --target lbw_micro_benchmarks
	research/bench/micro/run build/dev

format: ## format the sources
	@$(INSTALL) format
	clang-format -i $(SOURCES)

check-format: ## check the format of the sources
	@$(INSTALL) format
	@clang-format --dry-run --Werror $(SOURCES)

lint: check-format ## check the format and run clang-tidy on library and program
	@$(INSTALL) build lint
	cmake --preset tidy
	run-clang-tidy -quiet -p build/tidy > build/tidy/findings.txt || { grep -A3 'error:' build/tidy/findings.txt; exit 1; }

coverage: ## measure the line coverage of src/; fails below 90 %
	@$(INSTALL) build coverage
	cmake --preset coverage
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage -j 2
	gcovr --root . --filter src/ --fail-under-line 90 build/coverage

sanitize: ## run the C++ and program tests under the address and undefined-behaviour sanitizers
tsan: ## run the C++ tests that use threads under the thread sanitizer
sanitize tsan:
	@$(INSTALL) build
	cmake --preset $@
	cmake --build --preset $@ --target lbw_tests lbw_program
	ctest --preset $@ -j 2

clean: ## remove all build results
	rm -rf build
