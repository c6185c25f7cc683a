import type { Command } from 'commander';
import type { User } from '../core/access/users/schema.ts';
import { ROLES } from '../core/base/shared/caller.ts';
import { invalid, notFound } from '../core/base/shared/errors.ts';
import { alignedTable, oneLine } from '../core/base/shared/text.ts';
import {
  type OptionalTenantOptions,
  type TenantOptions,
  withAdministration,
  withTenant,
  withTenantOfUser,
} from './input/options.ts';
import { readSecret } from './input/prompt.ts';
import { currentInvocation } from './presentation/invocation.ts';
import { print } from './presentation/output.ts';
import { administer, administerTenant, optionalTenant } from './server/administer.ts';

interface CreateOptions extends TenantOptions {
  email: string;
  name: string;
  role: string;
  password: boolean;
}

const PASSWORD_HELP =
  '\nThe password has 12 to 200 characters. It is asked for, twice, on a terminal; otherwise it is what standard input holds.';

export function register(program: Command): void {
  const users = program
    .command('users')
    .description('create, list and unlock the users of the portal, set their passwords and reset their second factors');

  withTenant(users.command('create').description('make a user, who can log in to the portal'))
    .requiredOption('--email <email>', 'unique within the tenant, whatever its case')
    .requiredOption('--name <name>', '2 to 100 characters')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, 'USER')
    .option('--no-password', 'without one: nobody logs in as this user until `users password` sets one')
    .addHelpText('after', PASSWORD_HELP)
    .action((options: CreateOptions) =>
      administerTenant(options, async (tenant, { users }) => {
        const { email, name, role } = options;
        const { createUserSchema, parse } = await loadSchemas();
        const members = parse(createUserSchema, { email, name, role });
        const password = options.password ? await readPassword(email) : undefined;
        const user = await users.create(tenant.id, { ...members, password }, null);
        print(options, user, [
          `Created ${describe(user)} of tenant ${tenant.name} with the id ${user.id}.`,
          ...(password === undefined
            ? [`There is no password yet: ${currentInvocation().line('users')} password ${user.id}`]
            : []),
        ]);
      }),
    );

  withAdministration(users.command('list').description('list users, newest first'))
    .option('--tenant <tenant>', 'only of this tenant')
    .action((options: OptionalTenantOptions) =>
      administer(options, async ({ tenants, users }) => {
        const listed = options.tenant === undefined ? await tenants.list() : [await tenants.get(options.tenant)];
        const found = await users.listAll(options.tenant === undefined ? null : listed[0]!.id);
        const names = new Map(listed.map(({ id, name }) => [id, name]));
        print(options, { users: found }, userTable(found, names));
      }),
    );

  withTenantOfUser(
    users.command('unlock <email-or-id>').description('let a user log in again who was locked out by failed logins'),
  ).action(unlock);

  withTenantOfUser(
    users
      .command('reset-second-factor <email-or-id>')
      .description('remove the second factor of a user who has lost it; their sessions end'),
  ).action((emailOrId: string, options: OptionalTenantOptions) =>
    administer(options, async (state) => {
      const tenant = await optionalTenant(state, options);
      const user = await state.users.named(emailOrId, tenant?.id ?? null);
      const reset = await state.secondFactors.reset(null, user.id);
      print(options, { user, ...reset }, [
        reset.removed === 0
          ? `${describe(user)} had no second factor. Sessions from before are void.`
          : `${describe(user)} has no second factor any more. Sessions from before are void.`,
      ]);
    }),
  );

  withTenantOfUser(
    users
      .command('login-link <email-or-id>')
      .description('print a link that logs a user in once, also where password logins are switched off'),
  )
    .option('--minutes <minutes>', 'for how long it is valid, at most 60', '10')
    .action(printLoginLink);

  withTenantOfUser(
    users.command('password <email-or-id>').description('give a user a new password; their sessions end'),
  )
    .addHelpText('after', PASSWORD_HELP)
    .action((emailOrId: string, options: OptionalTenantOptions) =>
      administer(options, async (state) => {
        const tenant = await optionalTenant(state, options);
        const { id, email } = await state.users.named(emailOrId, tenant?.id ?? null);
        const user = await state.users.setPassword(id, { password: await readPassword(email) }, null);
        print(options, user, [`${describe(user)} has a new password. Sessions from before are void.`]);
      }),
    );
}

/** The server counts failed logins in memory, so it runs the operation. */
async function unlock(user: string, { tenant, ...options }: OptionalTenantOptions): Promise<void> {
  const { loadInstalledConfig } = await import('./server/installed-config.ts');
  const { operate } = await import('../app/operate.ts');
  const config = loadInstalledConfig(options);
  const input = { user, ...(tenant === undefined ? {} : { tenant }) };
  const unlocked = await operate(config, { command: 'users unlock', name: 'unlock-user', input });
  const { email, failures } = unlocked;
  const forgotten = failures === 1 ? '1 failed login is' : `${failures} failed logins are`;
  print(options, unlocked, [`${email} can log in again at once. ${forgotten} forgotten.`]);
}

/** Links are in the memory of the server. */
async function printLoginLink(
  user: string,
  { tenant, minutes, ...options }: OptionalTenantOptions & { minutes: string },
): Promise<void> {
  if (!/^([1-9]|[1-5]\d|60)$/.test(minutes)) throw invalid('--minutes: must be a whole number from 1 to 60');
  const { loadInstalledConfig } = await import('./server/installed-config.ts');
  const { operate } = await import('../app/operate.ts');
  const { OwnerClient } = await import('../ownership/owner-client.ts');
  const config = loadInstalledConfig(options);
  const client = new OwnerClient(config.dataDir);
  const owner = await client.owner().finally(() => client.close());
  const url = config.publicUrl ?? owner?.url;
  if (owner?.url === undefined || url === undefined) {
    throw notFound('No server runs on this data directory, and a link works only while one runs. Start `serve` first.');
  }
  const input = { user, minutes: Number(minutes), ...(tenant === undefined ? {} : { tenant }) };
  const { secret, ...issued } = await operate(config, { command: 'users login-link', name: 'login-link', input });
  const link = `${url.replace(/\/+$/, '')}/login#link=${secret}`;
  print(options, { ...issued, link }, [
    link,
    `It logs ${issued.email} in once, until ${issued.expiresAt}. Whoever has it is that user: send it to nobody else.`,
  ]);
}

async function readPassword(email: string): Promise<string> {
  const given = await readSecret(`Password of ${email}: `, { field: 'password', twice: true });
  const { parse, setPasswordSchema } = await loadSchemas();
  return parse(setPasswordSchema, { password: given }).password;
}

/** For the actions that use them, since zod is large. */
async function loadSchemas() {
  const [{ parse }, { createUserSchema }, { setPasswordSchema }] = await Promise.all([
    import('../core/base/shared/parse.ts'),
    import('../core/access/users/schema.ts'),
    import('../core/access/users/schema.ts'),
  ]);
  return { parse, createUserSchema, setPasswordSchema };
}

function describe({ name, email, role }: User): string {
  return `${role} ${oneLine(name)} (${email})`;
}

function userTable(users: User[], tenants: Map<string, string>): string[] {
  const rows = users.map((user) => [
    user.id,
    user.email,
    oneLine(user.name),
    user.role,
    user.isActive ? 'yes' : 'no',
    user.lastLoginAt ?? 'never',
    tenants.get(user.tenantId) ?? user.tenantId,
  ]);
  return alignedTable(['ID', 'E-MAIL', 'NAME', 'ROLE', 'ACTIVE', 'LAST LOGIN', 'TENANT'], rows);
}
