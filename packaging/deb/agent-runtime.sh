#!/bin/sh
AGENT_RUNTIME_INVOCATION=/usr/bin/agent-runtime
export AGENT_RUNTIME_INVOCATION
exec /usr/lib/agent-runtime/bin/node --max-semi-space-size=4 /usr/lib/agent-runtime/app/bin/agent-runtime.js "$@"
