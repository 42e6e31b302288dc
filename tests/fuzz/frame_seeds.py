"""Seeds for the frame fuzzers: the golden frames of runtime/vectors. frame_seeds.py FOLDER"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for vector in json.loads((ROOT / "runtime/vectors/frames.json").read_text(encoding="utf-8")):
        data = b"".join(bytes.fromhex(frame) for frame in vector["frames"])
        (folder / vector["name"].replace("/", "_").replace(" ", "_")).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
