#!/bin/sh
AGENT_RUNTIME_INVOCATION=/usr/bin/agent-runtime
export AGENT_RUNTIME_INVOCATION
exec /usr/lib/agent-runtime/bin/node --min-semi-space-size=16 /usr/lib/agent-runtime/app/bin/agent-runtime.js "$@"
