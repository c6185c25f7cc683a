import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeSettings } from '../../config.ts';
import { PROVIDER_VARIABLES } from '../../core/agents/providers/environment.ts';

export const ENVIRONMENT_EXAMPLES = `# Settings and secrets of the Agent Runtime service, NAME=value on each line (docs/configuration.md has them all).
# They are read when the service starts: restart it after a change.

# Behind a proxy, or with a certificate:
#AGENT_RUNTIME_PUBLIC_URL=https://runtime.example.com
#AGENT_RUNTIME_TRUSTED_PROXIES=127.0.0.1,::1

# HTTPS without a proxy:
#AGENT_RUNTIME_TLS_CERTIFICATE=/etc/ssl/certs/runtime.example.com.pem
#AGENT_RUNTIME_TLS_KEY=/etc/ssl/private/runtime.example.com.key

# Secrets: 32 characters or more, 16 or more, and the keys of LLM providers.
#AGENT_RUNTIME_SECRET_KEY=
#AGENT_RUNTIME_METRICS_TOKEN=
#ANTHROPIC_API_KEY=
#OPENAI_API_KEY=
`;

/** Never replaces one. */
export function makeEnvironmentFile(path: string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, ENVIRONMENT_EXAMPLES, { mode: 0o600, flag: 'wx' });
  return true;
}

/** In the definition, or for commands that talk to a server. */
const NOT_FOR_THE_SERVICE = new Set([
  ...['AGENT_RUNTIME_DATA_DIR', 'HOST', 'PORT'],
  ...['AGENT_RUNTIME_API_KEY', 'AGENT_RUNTIME_URL', 'AGENT_RUNTIME_BACKUP_PASSPHRASE'],
]);

/** Names of variables that are set in this environment and missing in the file. */
export function variablesLeftOut(path: string, variable: (name: string) => string | undefined): string[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set([...text.matchAll(/^\s*(\w+)=/gm)].map(([, name]) => name));
  return [...describeSettings().map((setting) => setting.variable), ...PROVIDER_VARIABLES].filter(
    (name) => variable(name) !== undefined && !present.has(name) && !NOT_FOR_THE_SERVICE.has(name),
  );
}
