import type { Command } from 'commander';
import type { CreateKey, IssuedKey, ShownApiKey } from '../core/access/auth/schema.ts';
import { SCOPES, type Scope } from '../core/base/shared/caller.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { alignedTable } from '../core/base/shared/text.ts';
import { durationMs } from '../core/base/time/units.ts';
import {
  type AdministrationOptions,
  type OptionalTenantOptions,
  type TenantOptions,
  withAdministration,
  withTenant,
} from './input/options.ts';
import { readJson } from './input/tenant-commands.ts';
import { print } from './presentation/output.ts';
import { registerKeyQuotas } from './quotas.ts';
import { administer, administerTenant, optionalTenant } from './server/administer.ts';

interface CreateOptions extends TenantOptions {
  agent?: string;
  label: string;
  scopes: string;
  limits?: string;
  expires?: string;
}

interface RotateOptions extends AdministrationOptions {
  overlap?: string;
}

interface RevokeOptions extends OptionalTenantOptions {
  user?: string;
}

export function register(program: Command): void {
  const keys = program.command('keys').description('create, list, revoke and rotate API keys');

  withTenant(keys.command('create').description('make an API key; it is shown once'))
    .option('--agent <agent>', 'bind the key to an agent')
    .requiredOption('--label <label>', 'what the key is for; shown as author of what it does')
    .requiredOption('--scopes <scopes>', `comma-separated: *, ${SCOPES.join(', ')}`)
    .option(
      '--limits <file>',
      'JSON of what it is held to: agents, eventNames, filters, segment, vectorStores, connectors, models; - reads standard input',
    )
    .option('--expires <duration>', 'for example 12h, 90d, 1y or never; default AGENT_RUNTIME_KEY_LIFETIME, else never')
    .action((options: CreateOptions) =>
      administerTenant(options, async (tenant, { keys }) => {
        const { agent: agentId = null, label } = options;
        const limits = options.limits === undefined ? null : ((await readJson(options.limits)) as CreateKey['limits']);
        const key = {
          agentId,
          label,
          scopes: splitScopes(options.scopes),
          limits,
          expiresAt: expiryOf(options.expires),
        };
        printIssued(options, await keys.create(tenant.id, key, null));
      }),
    );

  withAdministration(keys.command('list').description('list keys, without their secrets'))
    .option('--tenant <tenant>', 'only of this tenant')
    .action((options: OptionalTenantOptions) =>
      administer(options, async (state) => {
        const tenant = await optionalTenant(state, options);
        const found = await state.keys.listAll(tenant?.id ?? null);
        print(options, { keys: found }, keyTable(found));
      }),
    );

  withAdministration(keys.command('revoke [id]').description('make a key void, or all that a user made, at once'))
    .option('--user <email-or-id>', 'every key that this user made, in place of an id')
    .option('--tenant <tenant>', 'name or id of the tenant, where several have the e-mail')
    .action(revoke);

  withAdministration(
    keys
      .command('rotate <id>')
      .description('give a key a new secret; the old one is void at once, or after an overlap'),
  )
    .option('--overlap <duration>', 'for how long the old secret works, too: 1h or 1d for example, at most 7d')
    .action((id: string, options: RotateOptions) =>
      administer(options, async ({ keys }) => {
        const rotated = await keys.rotate(id, null, { overlapSeconds: overlapOf(options.overlap) });
        printIssued(options, rotated, rotated.formerSecretUntil);
      }),
    );

  registerKeyQuotas(keys);
}

async function revoke(id: string | undefined, options: RevokeOptions): Promise<void> {
  const { user: emailOrId } = options;
  if ((id === undefined) === (emailOrId === undefined)) {
    throw invalid('id, --user: give the id of a key, or --user with an e-mail to revoke all that this user made');
  }
  await administer(options, async (state) => {
    const { keys, users } = state;
    if (emailOrId === undefined) {
      const key = await keys.revoke(id!, null);
      return print(options, key, [`Revoked ${key.id} (${key.label}).`]);
    }
    const tenant = await optionalTenant(state, options);
    const user = await users.named(emailOrId, tenant?.id ?? null);
    const revoked = await keys.revokeOf(user.tenantId, user.id, null);
    print(options, { userId: user.id, email: user.email, revoked }, [
      ...revoked.map((key) => `Revoked ${key.id} (${key.label}).`),
      `${user.email} has no valid key any more${user.isActive ? ', and can still log in and make new ones' : ''}.`,
    ]);
  });
}

function printIssued(options: AdministrationOptions, issued: IssuedKey, formerUntil: string | null = null): void {
  print(options, issued, [
    issued.key,
    '',
    `Keep it now: it is not shown again. id ${issued.id}, scopes ${issued.scopes.join(',')}, expires ${issued.expiresAt ?? 'never'}.`,
    ...(formerUntil === null ? [] : [`The old secret works until ${formerUntil}.`]),
  ]);
}

function keyTable(keys: ShownApiKey[]): string[] {
  const rows = keys.map((key) => [
    key.id,
    key.label,
    key.agentId ?? '-',
    key.scopes.join(','),
    key.limits ? Object.keys(key.limits).join(',') : '-',
    key.revokedAt ? 'revoked' : (key.expiresAt ?? 'never'),
    key.lastUsedAt ?? 'never',
  ]);
  return alignedTable(['ID', 'LABEL', 'AGENT', 'SCOPES', 'LIMITS', 'EXPIRES', 'LAST USED'], rows);
}

/** The schema validates them. */
function splitScopes(text: string): (Scope | '*')[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean) as (Scope | '*')[];
}

const MAX_OVERLAP_MS = 7 * 86_400_000;

/** In seconds. */
function overlapOf(text = '0'): number {
  const duration = text === '0' ? 0 : durationMs(text);
  if (duration !== null && duration <= MAX_OVERLAP_MS) return duration / 1_000;
  throw invalid(`--overlap: "${text}" is not a duration of at most 7d, such as 30m, 12h or 7d`);
}

/** Epoch milliseconds. Null: never. Undefined: the configured lifetime. */
function expiryOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'never') return null;
  const duration = durationMs(text);
  if (duration === null) {
    throw invalid(`--expires: "${text}" is neither a duration such as 30m, 12h, 90d, 4w or 1y nor never`);
  }
  return Date.now() + duration;
}
