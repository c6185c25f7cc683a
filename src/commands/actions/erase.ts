import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { operate } from '../../app/operate.ts';
import { withoutUndefined } from '../../core/base/json-schema/values.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { counted } from '../../core/base/shared/text.ts';
import type { ErasureResult } from '../../core/erasure.ts';
import type { AdministrationOptions } from '../input/options.ts';
import { ask } from '../input/prompt.ts';
import { print } from '../presentation/output.ts';
import { loadInstalledConfig } from '../server/installed-config.ts';

interface EraseOptions extends AdministrationOptions {
  tenant: string;
  thread?: string;
  user?: string;
  yes?: boolean;
}

export async function run(options: EraseOptions): Promise<void> {
  const config = loadInstalledConfig(options);
  const { tenant, thread, user } = options;
  if (thread !== undefined && user !== undefined) throw invalid('--user: cannot be combined with --thread');
  if (!options.yes) await confirm(options);
  const input = { tenant, ...withoutUndefined({ threadId: thread, userId: user }) };
  const result = await operate(config, { command: 'erase', name: 'erase', input });
  const copies = copiesIn(config.dataDir);
  print(options, { ...result, copies }, describe(result, copies));
}

async function confirm({ tenant, thread, user }: EraseOptions): Promise<void> {
  const ofUser = user === undefined ? 'everything' : `everything of end user "${user}"`;
  const what = `${thread === undefined ? ofUser : `thread "${thread}"`} of the tenant "${tenant}"`;
  if (!process.stdin.isTTY) throw invalid(`--yes: is needed to erase ${what}; there is no terminal to ask on`);
  const name = thread ?? user ?? tenant;
  if ((await ask(`This removes ${what} for good. Type ${name} to go on: `)) === name) return;
  throw new Error('Nothing was erased.');
}

function copiesIn(dataDir: string): string[] {
  return readdirSync(dataDir)
    .filter((name) => name === 'snapshots' || /^(before-restore|set-aside)-/.test(name))
    .map((name) => join(dataDir, name));
}

const KINDS: Record<string, [one: string, several: string]> = {
  apiKeys: ['key', 'keys'],
  dashboardCards: ['card', 'cards'],
  dashboardTabs: ['tab', 'tabs'],
  dashboardLinks: ['link', 'links'],
  deliveries: ['delivery', 'deliveries'],
};

function describe({ tenant, threadId, userId, erased, resumed }: ErasureResult, copies: string[]): string[] {
  const parts = Object.entries(erased)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => counted(count, ...(KINDS[what] ?? [what.replace(/s$/, ''), what])));
  const ofUser = userId === null ? '' : `end user ${userId} of `;
  const part = threadId === null ? ofUser : `thread ${threadId} of `;
  return [
    `Erased ${part}the tenant ${tenant}: ${parts.join(', ') || 'nothing was kept of it'}.`,
    ...(resumed ? ['An earlier erasure of it had begun: what that one erased is not counted here.'] : []),
    'It can no longer be read. On disk its place is written over or given back in time: until then old bytes may remain there.',
    'Backups made before still hold it.',
    ...copies.map((path) => `So may ${path}: delete it when you do not need it.`),
  ];
}
