#!/bin/sh
# Places a call with the three given fields and follows it to its end. Needs nothing but curl.
#
#   PARLEY_API_KEY=svc_test_... examples/curl/place-call.sh +15550100001 agt_... [engine]
set -eu

url="${PARLEY_URL:-http://127.0.0.1:3000}"
key="${PARLEY_API_KEY:?set PARLEY_API_KEY to the key that the first start printed}"
phone_number="${1:?the number to call, such as +15550100001}"
agent_id="${2:?the id of the agent that calls, such as agt_...}"
engine="${3:-local}"

# The key goes through standard input: arguments can be read by everyone on the machine.
ask() {
  printf 'header = "Authorization: Bearer %s"\n' "$key" | curl --silent --show-error --config - "$@"
}

body=$(printf '{"phoneNumber":"%s","agentId":"%s","engine":"%s"}' "$phone_number" "$agent_id" "$engine")
reply=$(ask "$url/api/v1/calls" --header "Content-Type: application/json" --data "$body")
id=$(printf '%s' "$reply" | sed -n 's/.*"id":"\(call_[0-9a-z]*\)".*/\1/p')
if [ -z "$id" ]; then
  printf 'The call was refused: %s\n' "$reply" >&2
  exit 1
fi
printf '%s initiated\n' "$id"

# The stream ends by itself after the final event.
ask --no-buffer "$url/api/v1/calls/$id/events" --header "Accept: text/event-stream" | sed -n 's/^event: //p'

# The call's own status comes first; its recording and its transcript have one too.
status=$(ask "$url/api/v1/calls/$id" | grep -o '"status":"[a-z_]*"' | head -n 1 | cut -d '"' -f 4)
printf '%s %s\n' "$id" "$status"
[ "$status" = completed ]
