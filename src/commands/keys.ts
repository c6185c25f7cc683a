import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import { shownKey } from '../core/auth/keys.ts';
import type { ApiKey, IssuedKey } from '../core/auth/schema.ts';
import { SCOPES, type Scope } from '../core/caller.ts';
import { invalid } from '../core/errors.ts';
import { alignedTable } from '../text.ts';
import { type AdministrationOptions, administer, print, withAdministration } from './options.ts';
import { registerKeyQuotas } from './quotas.ts';

interface CreateOptions extends AdministrationOptions {
  tenant: string;
  agent?: string;
  label: string;
  scopes: string;
  expires?: string;
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list, revoke and rotate API keys');

  withAdministration(keys.command('create').description('make an API key; it is shown once'))
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--agent <agent>', 'bind the key to an agent')
    .requiredOption('--label <label>', 'what the key is for; shown as author of what it does')
    .requiredOption('--scopes <scopes>', `comma-separated: *, ${SCOPES.join(', ')}`)
    .option('--expires <duration>', 'for example 12h, 90d or 1y; default never')
    .action((options: CreateOptions) =>
      administer(options, async ({ auth }) => {
        const tenant = await auth.tenant(options.tenant);
        const issued = await auth.createKey(
          tenant.id,
          {
            agentId: options.agent ?? null,
            label: options.label,
            scopes: splitScopes(options.scopes),
            expiresAt: options.expires === undefined ? null : Date.now() + durationMs(options.expires),
          },
          null,
        );
        printIssued(options, issued);
      }),
    );

  withAdministration(keys.command('list').description('list keys, without their secrets'))
    .option('--tenant <tenant>', 'only of this tenant')
    .action((options: AdministrationOptions & { tenant?: string }) =>
      administer(options, async ({ auth }) => {
        const tenant = options.tenant === undefined ? null : await auth.tenant(options.tenant);
        const found = await auth.listKeys(tenant?.id ?? null);
        print(options, { keys: found.map(shownKey) }, keyTable(found));
      }),
    );

  withAdministration(keys.command('revoke <id>').description('make a key void, at once')).action(
    (id: string, options: AdministrationOptions) =>
      administer(options, async ({ auth }) => {
        const key = await auth.revokeKey(id);
        print(options, shownKey(key), [`Revoked ${key.id} (${key.label}).`]);
      }),
  );

  withAdministration(
    keys.command('rotate <id>').description('give a key a new secret; the old one is void at once'),
  ).action((id: string, options: AdministrationOptions) =>
    administer(options, async ({ auth }) => printIssued(options, await auth.rotateKey(id))),
  );

  registerKeyQuotas(keys);
}

function printIssued(options: AdministrationOptions, issued: IssuedKey): void {
  print(options, issued, [
    issued.key,
    '',
    `Keep it now: it is not shown again. id ${issued.id}, scopes ${issued.scopes.join(',')}, expires ${issued.expiresAt ?? 'never'}.`,
  ]);
}

function keyTable(keys: ApiKey[]): string[] {
  const rows = keys
    .map(shownKey)
    .map((key) => [
      key.id,
      key.label,
      key.agentId ?? '-',
      key.scopes.join(','),
      key.revokedAt ? 'revoked' : (key.expiresAt ?? 'never'),
      key.lastUsedAt ?? 'never',
    ]);
  return alignedTable(['ID', 'LABEL', 'AGENT', 'SCOPES', 'EXPIRES', 'LAST USED'], rows);
}

/** Whether each is a scope is the schema's to say. */
function splitScopes(text: string): (Scope | '*')[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean) as (Scope | '*')[];
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 };

function durationMs(text: string): number {
  const [, amount, unit] = /^(\d{1,5})([mhdwy])$/.exec(text) ?? [];
  if (!amount || !unit) throw invalid(`--expires: "${text}" is not a duration such as 30m, 12h, 90d, 4w or 1y`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
