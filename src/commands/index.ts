import type { Command } from 'commander';

/** In the order of the help text. A file is loaded only when its command runs. */
const COMMANDS: Record<string, () => Promise<{ register(program: Command): void }>> = {
  serve: () => import('./serve.ts'),
  service: () => import('./service.ts'),
  mcp: () => import('./mcp.ts'),
  demo: () => import('./demo.ts'),
  import: () => import('./import.ts'),
  ingest: () => import('./knowledge/ingest.ts'),
  search: () => import('./knowledge/search.ts'),
  keys: () => import('./keys.ts'),
  tenants: () => import('./tenants.ts'),
  agents: () => import('./agents.ts'),
  users: () => import('./users.ts'),
  oauth: () => import('./oauth.ts'),
  sso: () => import('./sso.ts'),
  providers: () => import('./providers.ts'),
  metrics: () => import('./metrics.ts'),
  connectors: () => import('./connectors.ts'),
  credentials: () => import('./credentials.ts'),
  secrets: () => import('./secrets.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  export: () => import('./export.ts'),
  compact: () => import('./server/compact.ts'),
  erase: () => import('./erase.ts'),
  'release-directory': () => import('./release-directory.ts'),
  audit: () => import('./audit.ts'),
  doctor: () => import('./doctor.ts'),
};

export async function registerCommands(program: Command, [name = '']: string[]): Promise<void> {
  if (name === '--version' || name === '-V') return;
  const named = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  const modules = await Promise.all(named.map((one) => COMMANDS[one]!()));
  for (const { register } of modules) register(program);
}
