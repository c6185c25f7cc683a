import type { Command } from 'commander';
import { oneLine } from '../core/base/shared/text.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { readSecret } from './input/prompt.ts';
import { addListCommand, addRemoveCommand } from './input/tenant-commands.ts';
import { print, usedSoon } from './presentation/output.ts';
import { administerTenant } from './server/administer.ts';

interface SetOptions extends TenantOptions {
  username?: string;
  hosts?: string;
}

const SECRET_HELP =
  '\nThe secret is asked for on a terminal; otherwise it is what standard input holds. Setting a credential again replaces\nall of it; its hosts stay unless --hosts gives others.';

export function register(program: Command): void {
  const credentials = program
    .command('credentials')
    .description('set, list and remove the secrets that connectors of a tenant use');

  withTenant(credentials.command('set <name>').description('store a secret, or replace the one of that name'))
    .option('--username <username>', "a user's name or a client's id that belongs to it")
    .option(
      '--hosts <hosts>',
      'comma-separated: the hosts that it may be sent to, that of an OAuth token URL among them',
    )
    .addHelpText('after', SECRET_HELP)
    .action((name: string, options: SetOptions) =>
      administerTenant(options, async (tenant, state, config) => {
        const { username } = options;
        const hosts = options.hosts?.split(',').map((host) => host.trim()) ?? [];
        const secret = await readSecret(`Secret of ${oneLine(name)}: `, { field: 'secret' });
        const set = await state.credentials.set(tenant.id, { name, username, secret, hosts }, null);
        const done = set.outcome === 'created' ? `Stored ${name}.` : `Replaced ${name}.`;
        print(options, { tenant: tenant.name, ...set }, [done, usedSoon(config)]);
      }),
    );

  addListCommand(credentials, {
    description: 'list credentials, without their secrets',
    member: 'credentials',
    list: (state, tenantId) => state.credentials.list(tenantId),
    header: ['NAME', 'USERNAME', 'HOSTS', 'SET'],
    row: ({ name, username, hosts, updatedAt }) => [
      name,
      username === null ? '-' : oneLine(username),
      hosts.join(','),
      updatedAt,
    ],
  });

  addRemoveCommand(credentials, {
    argument: 'name',
    description: 'remove a credential that no connector lists',
    remove: (state, tenantId, name) => state.credentials.remove(tenantId, name, null),
  });
}
