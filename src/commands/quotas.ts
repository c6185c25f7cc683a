import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { TenantUsage } from '../core/access/auth/usage.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { alignedTable } from '../core/base/shared/text.ts';
import { KEY_QUOTAS, QUOTA_NAMES, QUOTAS, type QuotaName } from '../core/limits/quotas/kinds.ts';
import type { QuotaChanges, QuotaLimits } from '../core/limits/quotas/schema.ts';
import { type AdministrationOptions, withAdministration } from './input/options.ts';
import { print, usedSoon } from './presentation/output.ts';
import { administer } from './server/administer.ts';

const NONE = 'none';

const OPTIONS: Record<QuotaName, [placeholder: string, description: string]> = {
  events: ['<count>', 'events stored in all'],
  documents: ['<bytes>', 'bytes of stored documents in all'],
  deliveries: ['<bytes>', 'bytes of messages of alerts and digests that wait to be delivered; in place of 64 MB'],
  'requests-per-minute': ['<count>', 'requests a minute; in place of the setting rateLimit'],
  'tokens-per-day': ['<count>', 'tokens of chats in a day'],
  'tokens-per-month': ['<count>', 'tokens of chats in a month'],
  'cost-per-day': ['<dollars>', 'US dollars for chats in a day, 2.50 for example'],
  'cost-per-month': ['<dollars>', 'US dollars for chats in a month'],
};

const HELP = `
A quota that is not named stays as it is; "${NONE}" removes it. Without options the quotas are printed.`;

type QuotaOptions = AdministrationOptions & Record<string, unknown>;

export function registerTenantQuotas(tenants: Command): void {
  withQuotas(tenants.command('quota <tenant>').description('show or change quotas of a tenant'), QUOTA_NAMES).action(
    (name: string, options: QuotaOptions) =>
      administer(options, async ({ tenants, quotas }, config) => {
        const tenant = await tenants.get(name);
        const changes = changesOf(options);
        const limits = await quotas.changeTenant(tenant, changes);
        const shown = { tenantId: tenant.id, tenant: tenant.name, quotas: limits };
        print(options, shown, linesOf(limits, `${tenant.name} has no quotas.`, { changes, config }));
      }),
  );

  withAdministration(
    tenants.command('usage <tenant>').description('show how much of the quotas of a tenant and its keys is used'),
  ).action(async (tenant: string, options: AdministrationOptions) => {
    const [{ loadConfig }, { operate }] = await Promise.all([import('../config.ts'), import('../app/operate.ts')]);
    const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
    const usage = await operate(config, { command: 'usage', name: 'tenant-usage', input: { tenant } });
    print(options, usage, usageLines(usage));
  });
}

export function registerKeyQuotas(keys: Command): void {
  withQuotas(keys.command('quota <id>').description('show or change quotas of a key'), KEY_QUOTAS).action(
    (id: string, options: QuotaOptions) =>
      administer(options, async ({ keys, quotas }, config) => {
        const key = await keys.get(id);
        const changes = changesOf(options);
        const limits = await quotas.changeKey(key, changes);
        const shown = { keyId: key.id, tenantId: key.tenantId, quotas: limits };
        print(options, shown, linesOf(limits, `The key ${key.id} has no quotas.`, { changes, config }));
      }),
  );
}

function withQuotas(command: Command, names: readonly QuotaName[]): Command {
  withAdministration(command);
  for (const name of names) {
    const [placeholder, description] = OPTIONS[name];
    command.option(`--${name} ${placeholder}`, description);
  }
  return command.addHelpText('after', HELP);
}

function changesOf(options: QuotaOptions): QuotaChanges {
  const named = QUOTA_NAMES.map((name) => [name, options[name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())]]);
  const given = named.filter((one): one is [QuotaName, string] => typeof one[1] === 'string');
  return Object.fromEntries(given.map(([name, text]) => [name, text === NONE ? null : amountOf(name, text)]));
}

function amountOf(name: QuotaName, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw invalid(
    `--${name}: "${text}" is neither a number such as ${name.startsWith('cost') ? '2.50' : '100000'} nor none`,
  );
}

function linesOf(limits: QuotaLimits, none: string, about: { changes: QuotaChanges; config: Config }): string[] {
  const rows = QUOTA_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [[name, String(limit), QUOTAS[name].unit]];
  });
  const table = rows.length === 0 ? [none] : alignedTable(['QUOTA', 'LIMIT', ''], rows, ['left', 'right']);
  return Object.keys(about.changes).length === 0 ? table : [...table, '', usedSoon(about.config)];
}

function usageLines({ tenant, keys }: TenantUsage): string[] {
  const owners = [
    { owner: tenant.name, quotas: tenant.quotas },
    ...keys.map(({ id, quotas }) => ({ owner: id, quotas })),
  ];
  const rows = owners.flatMap(({ owner, quotas }) =>
    quotas.map(({ quota, limit, used, reserved, remaining, windowEnd }) => [
      owner,
      quota,
      String(limit),
      String(used),
      String(reserved),
      String(remaining),
      windowEnd ?? '-',
    ]),
  );
  if (rows.length === 0) return [`${tenant.name} and its keys have no quotas.`];
  const header = ['TENANT OR KEY', 'QUOTA', 'LIMIT', 'USED', 'RESERVED', 'REMAINING', 'UNTIL'];
  return alignedTable(header, rows, ['left', 'left', 'right', 'right', 'right', 'right']);
}
