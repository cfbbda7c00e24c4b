/** The programs of guides in the order in which they stand there, with what they must print. */
export const GUIDE_PROGRAMS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "docs/guides/quick-start.md": {
    "quick-start.sh": /"success":true.*"status":"initiated"/,
    "quick-start.mjs": /^completed callee_hangup\n/,
    "quick_start.py": /^completed callee_hangup\n/,
    "quick-start-fetch.mjs": /^call_\w+ initiated\n$/,
  },
  "docs/guides/sdks.md": {
    "place-call.sh": /"success":true.*"status":"initiated"/,
    "place-call.mjs": /^completed callee_hangup \d+\n$/,
    "place_call.py": /^completed callee_hangup \d+\n$/,
    "with-fetch.mjs": /^call_\w+ initiated\n$/,
    "read-results.mjs": /^1 call\.initiated\n(?:.*\n)*\d+ call\.completed\ncall_\w+ /,
    "read_results.py": /^1 call\.initiated\n(?:.*\n)*\d+ call\.completed\ncall_\w+ /,
  },
  "docs/guides/batches.md": {
    "call-list.mjs": /^bat\w*_\w+\n\+15550100001 \w+\n\+15550100010 \w+\n$/,
    "call_list.py": /^bat\w*_\w+\n\+15550100001 \w+\n\+15550100010 \w+\n$/,
    "call-list-fetch.mjs": /^bat\w*_\w+\n$/,
  },
  "docs/guides/live-calls.md": {
    "live-transcript.mjs": /^(?:.*\n)*The call has ended\.\n$/,
    "live_transcript.py": /^(?:.*\n)*The call has ended\.\n$/,
    "live-transcript-fetch.mjs": /^(?:.*\n)*The call has ended\.\n$/,
  },
  "docs/guides/webhooks.md": {
    "add-webhook.mjs": /^whk_\w+ whsec_\S+\n$/,
    "add_webhook.py": /^whk_\w+ whsec_\S+\n$/,
    "add-webhook-fetch.mjs": /^whk_\w+ whsec_\S+\n$/,
  },
  "docs/guides/transcripts.md": {
    "find-words.mjs": /^That is all\.\n$/,
    "find_words.py": /^That is all\.\n$/,
    "find-words-fetch.mjs": /^That is all\.\n$/,
  },
};
