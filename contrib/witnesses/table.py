#!/usr/bin/env python3
"""What witnesses of programs are worth: checks programs, validates the witnesses, counts.

  contrib/witnesses/table.py MANIFEST --out FOLDER [--wedge PROGRAM] [--timeout S] [--certify S]
                             [--sample N] [--only REGEX] [--jobs N] [--version 2.0|2.1] [--name NAME]
                             [--resume] [--budget S]

MANIFEST is a table with tabs and a first line of names: `path` (relative to the manifest), and where
there are such columns `category`, `data_model` and `property` (a file of `properties` beside the
manifest, unreach-call by default). Each program is checked with a witness; the witness of each proof
and of each alarm is given to `wedge certify`. FOLDER keeps witnesses, what was said (`rows.tsv`) and
the table (`table.md`), which is printed as well. With `--resume` the tasks that `rows.tsv` has already are
not run again; with `--budget` no task is begun after so many seconds.

A proof without invariants is counted as one that needs none if Wedge did not say that its invariants
are no proof. Contracts of functions are counted with the other invariants.
"""

import argparse
import concurrent.futures
import csv
import os
import re
import resource
import subprocess
import sys
import time

COLUMNS = ("path", "category", "verdict", "seconds", "invariants", "contracts", "proof",
           "longest", "certified", "certify_seconds", "said")


def arguments():
    first, _, rest = __doc__.partition("\n")
    parser = argparse.ArgumentParser(
        description=first, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--out", required=True)
    parser.add_argument("--wedge", default="target/release/wedge")
    parser.add_argument("--timeout", type=int, default=30)
    parser.add_argument("--certify", type=int, default=60)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--version", choices=("2.0", "2.1"), default="2.0")
    parser.add_argument("--name", default="Wedge")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--budget", type=float)
    return parser.parse_args()


def tasks(options):
    root = os.path.dirname(os.path.abspath(options.manifest))
    with open(options.manifest, newline="") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t"))
    chosen = []
    for row in rows:
        row["category"] = row.get("category") or "-"
        if options.only and not re.search(options.only, f"{row['path']} {row['category']}"):
            continue
        name = row.get("property") or "unreach-call"
        row["file"] = os.path.join(root, row["path"])
        row["prp"] = os.path.join(root, "properties", f"{name}.prp")
        chosen.append(row)
    if options.sample and options.sample < len(chosen):
        step = len(chosen) / options.sample
        chosen = [chosen[int(number * step)] for number in range(options.sample)]
    return chosen


def earlier(path):
    """The rows of an earlier run, with counts as numbers."""
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError:
        return []
    for row in rows:
        for name in ("invariants", "contracts"):
            row[name] = int(row[name]) if row[name] else ""
    return rows


def run(command, limit):
    """What a command prints and the wall time; it ends by itself, or is ended some time after."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
    try:
        out, err = process.communicate(timeout=limit + 60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, err = process.communicate()
    return out, err, time.monotonic() - start


def last(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def measure(task, options):
    witness = os.path.join(options.out, re.sub(r"[^\w.]", "_", task["path"]) + ".witness.yml")
    if os.path.exists(witness):
        os.remove(witness)
    meaning = ["--property", task["prp"]]
    if task.get("data_model"):
        meaning += ["--data-model", task["data_model"]]
    command = [options.wedge, "check", *meaning, "--timeout", f"{options.timeout}s",
               "--witness", witness, "--witness-version", options.version, task["file"]]
    out, err, seconds = run(command, options.timeout)
    row = {name: "" for name in COLUMNS}
    row.update(path=task["path"], category=task["category"], verdict=last(out).split("(")[0],
               seconds=f"{seconds:.1f}", said=" ".join(err.split()))
    if row["verdict"] not in ("TRUE", "FALSE"):
        return row
    try:
        with open(witness) as file:
            text = file.read()
    except OSError:
        row["certified"] = "no witness"
        return row
    values = re.findall(r'^ +value: "(.*)"$', text, re.MULTILINE)
    if row["verdict"] == "TRUE":
        row["contracts"] = len(re.findall(r'^ +type: "function_contract"$', text, re.MULTILINE))
        row["invariants"] = len(re.findall(r"^ +- invariant:$", text, re.MULTILINE)) - row["contracts"]
        row["longest"] = max(map(len, values), default=0)
        is_doubtful = "are no proof" in err or "proved without them" in err
        row["proof"] = "no" if is_doubtful else "yes"
    command = [options.wedge, "certify", *meaning, "--timeout", f"{options.certify}s",
               task["file"], witness]
    out, err, seconds = run(command, options.certify)
    row.update(certified=last(out) or " ".join(err.split()), certify_seconds=f"{seconds:.1f}")
    return row


def table(rows, options):
    """Counts by category, of proofs; alarms are in the last columns."""
    def line(name, rows):
        proofs = [row for row in rows if row["verdict"] == "TRUE"]
        alarms = [row for row in rows if row["verdict"] == "FALSE"]
        said = [row for row in proofs if row["invariants"] or row["contracts"]]
        bare = [row for row in proofs if not row["invariants"] and not row["contracts"]]
        accepted = [row for row in proofs if row["certified"].startswith("ACCEPTED")]
        cells = [
            name, len(rows), len(proofs), sum(row["proof"] == "yes" for row in said),
            sum(row["proof"] == "no" for row in said), sum(row["proof"] == "yes" for row in bare),
            sum(row["proof"] == "no" for row in bare), len(accepted),
            sum("by induction" in row["certified"] or "is inductive" in row["certified"]
                for row in accepted),
            sum(row["certified"].startswith("REJECTED") for row in proofs), len(alarms),
            sum(row["certified"].startswith("ACCEPTED") for row in alarms),
            sum(row["certified"].startswith("REJECTED") for row in alarms),
        ]
        return "| " + " | ".join(map(str, cells)) + " |"

    head = ["category", "tasks", "proofs", "invariants that are a proof", "other invariants",
            "none needed", "none", "accepted", "by induction", "rejected", "alarms", "accepted",
            "rejected"]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    for category in sorted({row["category"] for row in rows}):
        lines.append(line(category, [row for row in rows if row["category"] == category]))
    lines.append(line(f"{options.name}, all", rows))
    return "\n".join(lines) + "\n"


def main():
    options = arguments()
    os.makedirs(options.out, exist_ok=True)
    options.wedge = os.path.abspath(options.wedge)
    chosen = tasks(options)
    if not chosen:
        sys.exit("table.py: no task is chosen")
    path = os.path.join(options.out, "rows.tsv")
    rows = earlier(path) if options.resume else []
    known = {row["path"] for row in rows}
    left = [task for task in chosen if task["path"] not in known]
    end = time.monotonic() + options.budget if options.budget else None

    def in_time(task):
        return None if end and time.monotonic() > end else measure(task, options)

    with open(path, "w") as file, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def note(row):
            print("\t".join(str(row[name]) for name in COLUMNS), file=file, flush=True)

        print("\t".join(COLUMNS), file=file, flush=True)
        for row in rows:
            note(row)
        for row in filter(None, pool.map(in_time, left)):
            rows.append(row)
            note(row)
    if len(rows) < len(chosen):
        print(f"table.py: {len(rows)} of {len(chosen)} tasks so far", file=sys.stderr)
    text = table(rows, options)
    with open(os.path.join(options.out, "table.md"), "w") as file:
        file.write(text)
    print(text, end="")
    wrong = [row for row in rows if row["certified"].startswith("REJECTED")]
    for row in wrong:
        print(f"{row['path']}: {row['certified']}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
