import type { Command } from 'commander';

const lazy = () => import('./lazy.ts');

/** In the order of the help text. A file is loaded only when its command runs. */
const COMMANDS: Record<string, () => Promise<{ register(program: Command): void }>> = {
  serve: async () => ({ register: (await lazy()).serve }),
  service: () => import('./service.ts'),
  mcp: async () => ({ register: (await lazy()).mcp }),
  demo: async () => ({ register: (await lazy()).demo }),
  import: async () => ({ register: (await lazy()).importFile }),
  ingest: async () => ({ register: (await lazy()).ingest }),
  search: async () => ({ register: (await lazy()).search }),
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
  backup: async () => ({ register: (await lazy()).backup }),
  restore: async () => ({ register: (await lazy()).restore }),
  export: async () => ({ register: (await lazy()).exportAll }),
  compact: async () => ({ register: (await lazy()).compact }),
  erase: async () => ({ register: (await lazy()).erase }),
  audit: () => import('./audit.ts'),
  doctor: async () => ({ register: (await lazy()).doctor }),
};

export async function registerCommands(program: Command, [name = '']: string[]): Promise<void> {
  if (name === '--version' || name === '-V') return;
  const named = Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
  const modules = await Promise.all(named.map((one) => COMMANDS[one]!()));
  for (const { register } of modules) register(program);
}
