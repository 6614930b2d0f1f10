"""A client of a Concierge Graph server that uses only the standard library.

    python3 chat.py "What do I have in the pantry?"

Sends a message to POST /chat and prints the turn as it happens. If the connection breaks, it resumes
with GET /chat/RUN and the id of the last event: no event is missed or received twice.
"""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

LONGEST_WAIT = 10.0
SILENCE = 60.0  # The server sends a heartbeat every 15 seconds.


class Refused(Exception):
    """The server rejected the request: a retry does not help."""


def ask(base, path, body=None, last_event_id=None):
    headers = {"accept": "text/event-stream"}
    if body is not None:
        headers["content-type"] = "application/json"
        body = json.dumps(body).encode()
    if last_event_id is not None:
        headers["last-event-id"] = last_event_id
    if os.environ.get("CONCIERGE_API_KEY"):
        headers["x-api-key"] = os.environ["CONCIERGE_API_KEY"]
    request = urllib.request.Request(base + path, data=body, headers=headers)
    try:
        return urllib.request.urlopen(request, timeout=SILENCE)
    except urllib.error.HTTPError as error:
        if error.code in (429, 502, 503, 504):
            raise ConnectionError(f"the server answered {error.code}") from error
        text = error.read().decode("utf-8", "replace")
        try:
            problem = json.loads(text)
            raise Refused(f"{problem['code']}: {problem['detail']}") from error
        except (ValueError, KeyError):
            raise Refused(f"{error.code}: {text[:200]}") from error


def read_events(response):
    """Yields the server-sent events of a response as (id, data). Comments are heartbeats."""
    event_id, data = None, []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line == "":
            if data:
                yield event_id, json.loads("\n".join(data))
            event_id, data = None, []
        elif not line.startswith(":"):
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "data":
                data.append(value)
            elif field == "id":
                event_id = value


def chat(base, message, thread=None, tries=10):
    """Yields every event of the message's turn, once and in order; the last has the type "end"."""
    # The id makes it one message, even if it is sent twice.
    body = {"message": message, "messageId": str(uuid.uuid4())}
    # A thread id of our own, so that a repeated message finds the thread.
    body["thread"] = thread or str(uuid.uuid4())
    run, last, failures = None, None, 0
    while True:
        try:
            if run is None:
                response = ask(base, "/chat", body=body)
                run = response.headers["x-run-id"]
            else:
                response = ask(base, f"/chat/{run}", last_event_id=last)
            with response:
                for event_id, event in read_events(response):
                    last, failures = event_id or last, 0
                    yield event
                    if event["type"] == "end":
                        return
            reason = "the stream ended early"
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
        failures += 1
        if failures > tries:
            raise ConnectionError(f"gave up: {reason}")
        where = f"cannot reach {base}" if run is None else f"lost after event {last or 0}"
        print(f"{where}: {reason}; trying again", file=sys.stderr)
        time.sleep(min(0.2 * 2**failures, LONGEST_WAIT))


def main():
    parser = argparse.ArgumentParser(description="Send a message to a Concierge Graph server.")
    parser.add_argument("message")
    parser.add_argument("--thread", help="continue this conversation")
    parser.add_argument("--tries", type=int, default=10, help="attempts in a row when a connection breaks")
    parser.add_argument("--json", action="store_true", help="print every event, one per line")
    parser.add_argument(
        "--url", default=os.environ.get("CONCIERGE_URL", "http://127.0.0.1:8123")
    )
    options = parser.parse_args()
    try:
        url = options.url.rstrip("/")
        for event in chat(url, options.message, options.thread, options.tries):
            if options.json:
                print(json.dumps(event), flush=True)
            elif event["type"] == "turn-start":
                print(f"thread {event['thread']}", flush=True)
            elif event["type"] == "node-start":
                print(f"· {event['node']}", flush=True)
            elif event["type"] == "reply":
                print(f"\n{event['text']}", flush=True)
            elif event["type"] == "error":
                print(f"error: {event['message']}", file=sys.stderr)
    except (Refused, ConnectionError) as error:
        print(f"Cannot chat: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
