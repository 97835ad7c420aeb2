"""Tool-info module of Wedge for BenchExec (https://github.com/sosy-lab/benchexec).

BenchExec finds it as `toolinfo.wedge` if the folder above this one is in PYTHONPATH, or as `wedge` if
the file is copied into `benchexec/tools`. C programs are checked for the property of the task, circuits for their own.
"""

import re

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

VERDICT = re.compile(r"^(TRUE|FALSE\((?P<what>[\w-]+)\)|UNKNOWN\((?P<reason>.*)\))$")
CIRCUITS = (".aig", ".aag", ".btor2", ".btor")


class Tool(BaseTool2):
    def name(self):
        return "Wedge"

    def executable(self, tool_locator):
        return tool_locator.find_executable("wedge")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="wedge")

    def program_files(self, executable):
        return [executable]

    def cmdline(self, executable, options, task, rlimits):
        arguments = [executable, "check", *options]
        files = list(task.input_files)
        is_circuit = files and files[0].endswith(CIRCUITS)
        if task.property_file and not is_circuit:
            arguments += ["--property", task.property_file]
        if isinstance(task.options, dict) and not is_circuit:
            language = task.options.get("language")
            if language not in (None, "C"):
                raise UnsupportedFeatureException(f"Wedge reads C, not {language}")
            model = task.options.get("data_model")
            if model not in (None, "ILP32", "LP64"):
                raise UnsupportedFeatureException(f"Wedge has no data model {model}")
            if model and "--data-model" not in options:
                arguments += ["--data-model", model]
        if rlimits.cpu_cores and "--cores" not in options:
            arguments += ["--cores", str(rlimits.cpu_cores)]
        if rlimits.memory and "--memory" not in options:
            # A little less, so that the answer comes from Wedge and not from the limit.
            arguments += ["--memory", str(rlimits.memory // 100 * 95)]
        if rlimits.walltime and "--timeout" not in options:
            arguments += ["--timeout", f"{rlimits.walltime}s"]
        return arguments + ["--", *files]

    def determine_result(self, run):
        # The last line of standard output is the verdict; messages may follow on standard error,
        # which BenchExec writes into the same file.
        for line in reversed(run.output):
            match = VERDICT.match(line.strip())
            if not match:
                continue
            if match.group("what"):
                return f"{result.RESULT_FALSE_PROP}({match.group('what')})"
            if match.group("reason") is not None:
                return self._unknown(match.group("reason"))
            return result.RESULT_TRUE_PROP
        if run.was_timeout:
            return result.RESULT_TIMEOUT if hasattr(result, "RESULT_TIMEOUT") else "TIMEOUT"
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR} (usage or input)"
        return result.RESULT_ERROR

    @staticmethod
    def _unknown(reason):
        known = {"timeout": "TIMEOUT", "out of memory": "OUT OF MEMORY"}
        return known.get(reason, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        # Lines of --stats: a name, blanks, a value.
        for line in output:
            name, _, value = line.strip().partition("  ")
            if name == identifier:
                return value.strip()
        return None
