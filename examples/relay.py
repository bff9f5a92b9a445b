"""The same exchange as relay.mjs, from another language, by the command line: `python3 examples/relay.py [WARDENPOOL...]`.

Only the standard library is needed. stdin and stdout of `wardenpool run` are descriptor 3 of the command.
"""
import json
import os
import subprocess
import sys
import tempfile

wardenpool = sys.argv[1:] or ["npx", "wardenpool"]

with tempfile.TemporaryDirectory() as directory:
    receipt_path = os.path.join(os.path.realpath(directory), "receipt.json")
    child = subprocess.Popen(
        [*wardenpool, "run", "--ro", "--io", "isolated-duplex", "--environment", "empty",
         "--wall-time", "30000", "--receipt", receipt_path, "--", "code-runner"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(**frame):
        child.stdin.write(json.dumps({"version": "code-bridge-v1", **frame}).encode() + b"\n")
        child.stdin.flush()

    send(type="execute", executionId="example", tools=[{"name": "math.double"}],
         code="const { value } = await tools['math.double']({ value: 21 }); return value;",
         limits={"maxToolCalls": 1, "maxResultBytes": 1000, "timeoutMs": 10000})

    for line in child.stdout:  # bytes are split at newlines alone
        frame = json.loads(line)
        if frame["type"] == "tool.call":
            print("tool.call ", frame["name"], json.dumps(frame["arguments"]))
            send(type="tool.result", id=frame["id"], ok=True, result={"value": frame["arguments"]["value"] * 2})
        elif frame["type"] == "execution.result":
            print("result    ", json.dumps(frame["result"] if frame["ok"] else frame["error"]))
            child.stdin.close()

    print("returncode", child.wait())
    with open(receipt_path) as receipt_file:
        receipt = json.load(receipt_file)
    print("backend   ", receipt["backend"]["name"], f"as uid {receipt['isolation']['userId']}")
    print("network   ", receipt["network"]["mode"])
    print("outcome   ", receipt["outcome"]["kind"] + ", containment confirmed:", json.dumps(receipt["stop"]["containmentConfirmed"]))
