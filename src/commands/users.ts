import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { operate } from '../app/operate.ts';
import { loadConfig } from '../config.ts';
import { DEFAULT_TENANT } from '../core/auth/bootstrap.ts';
import { notFound } from '../core/shared/errors.ts';
import { parse } from '../core/shared/parse.ts';
import { ROLES } from '../core/shared/roles.ts';
import { alignedTable, oneLine } from '../core/shared/text.ts';
import { setPasswordSchema } from '../core/users/passwords.ts';
import { createUserSchema, type User } from '../core/users/schema.ts';
import { STATE_FILE } from '../storage/files/names.ts';
import { type AdministrationOptions, administer, print, withAdministration } from './input/options.ts';
import { readSecret } from './input/prompt.ts';

interface CreateOptions extends AdministrationOptions {
  tenant: string;
  email: string;
  name: string;
  role: string;
  /** False with `--no-password`. */
  password: boolean;
}

const PASSWORD_HELP =
  '\nThe password has 12 to 200 characters. It is asked for, twice, on a terminal; otherwise it is what standard input holds.';

export function register(program: Command): void {
  const users = program
    .command('users')
    .description('create, list and unlock the users of the portal, and set their passwords');

  withAdministration(users.command('create').description('make a user, who can log in to the portal'))
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .requiredOption('--email <email>', 'unique within the tenant, whatever its case')
    .requiredOption('--name <name>', '2 to 100 characters')
    .option('--role <role>', `one of ${ROLES.join(', ')}`, 'USER')
    .option('--no-password', 'without one: nobody logs in as this user until `users password` sets one')
    .addHelpText('after', PASSWORD_HELP)
    .action((options: CreateOptions) =>
      administer(options, async ({ auth, users }) => {
        const tenant = await auth.tenant(options.tenant);
        const { email, name, role } = options;
        const members = parse(createUserSchema, { email, name, role });
        const password = options.password ? await readPassword(email) : undefined;
        const user = await users.create(tenant.id, { ...members, password }, null);
        print(options, user, [
          `Created ${describe(user)} of tenant ${tenant.name} with the id ${user.id}.`,
          ...(password === undefined ? [`There is no password yet: agent-runtime users password ${user.id}`] : []),
        ]);
      }),
    );

  withAdministration(users.command('list').description('list users, newest first'))
    .option('--tenant <tenant>', 'only of this tenant')
    .action((options: AdministrationOptions & { tenant?: string }) =>
      administer(options, async ({ auth, users }) => {
        const tenants = options.tenant === undefined ? await auth.listTenants() : [await auth.tenant(options.tenant)];
        const found = await users.listAll(options.tenant === undefined ? null : tenants[0]!.id);
        const names = new Map(tenants.map(({ id, name }) => [id, name]));
        print(options, { users: found }, userTable(found, names));
      }),
    );

  withAdministration(
    users.command('unlock <email-or-id>').description('let a user log in again who was locked out by failed logins'),
  )
    .option('--tenant <tenant>', 'name or id of the tenant, where several have the e-mail')
    .action((emailOrId: string, options: AdministrationOptions & { tenant?: string }) => unlock(emailOrId, options));

  withAdministration(
    users.command('password <email-or-id>').description('give a user a new password; their sessions end'),
  )
    .option('--tenant <tenant>', 'name or id of the tenant, where several have the e-mail')
    .addHelpText('after', PASSWORD_HELP)
    .action((emailOrId: string, options: AdministrationOptions & { tenant?: string }) =>
      administer(options, async ({ auth, users }) => {
        const tenant = options.tenant === undefined ? null : await auth.tenant(options.tenant);
        const { id, email } = await users.named(emailOrId, tenant?.id ?? null);
        const user = await users.setPassword(id, { password: await readPassword(email) }, null);
        print(options, user, [`${describe(user)} has a new password. Sessions from before are void.`]);
      }),
    );
}

/** The counts of failures are in the memory of the process that serves. */
async function unlock(
  user: string,
  { tenant, ...options }: AdministrationOptions & { tenant?: string },
): Promise<void> {
  const config = loadConfig({ dataDir: options.dataDir }, { logLevel: 'warn' });
  if (!existsSync(join(config.dataDir, STATE_FILE))) {
    throw notFound(`There is no Agent Runtime data in ${config.dataDir} (--data-dir names another directory).`);
  }
  const input = { user, ...(tenant === undefined ? {} : { tenant }) };
  const unlocked = await operate(config, { command: 'users unlock', name: 'unlock-user', input });
  const { email, failures } = unlocked;
  const forgotten = failures === 1 ? '1 failed login is' : `${failures} failed logins are`;
  print(options, unlocked, [`${email} can log in again at once. ${forgotten} forgotten.`]);
}

async function readPassword(email: string): Promise<string> {
  const given = await readSecret(`Password of ${email}: `, { field: 'password', twice: true });
  return parse(setPasswordSchema, { password: given }).password;
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
