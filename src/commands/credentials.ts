import { type Command, Option } from 'commander';
import type { ShownCredential } from '../core/connectors/credentials/schema.ts';
import { alignedTable, oneLine } from '../core/shared/text.ts';
import { administer, print, type TenantOptions, usedSoon, withTenant } from './input/options.ts';
import { readSecret } from './input/prompt.ts';

interface SetOptions extends TenantOptions {
  username?: string;
  hosts?: string;
  host?: string[];
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
    .addOption(new Option('--host <host...>').hideHelp()) // As version 0.1 had it.
    .addHelpText('after', SECRET_HELP)
    .action((name: string, options: SetOptions) =>
      administer(options, async ({ auth, credentials }, { dataDir }) => {
        const tenant = await auth.tenant(options.tenant);
        const { username } = options;
        const hosts = [...(options.hosts?.split(',').map((host) => host.trim()) ?? []), ...(options.host ?? [])];
        const secret = await readSecret(`Secret of ${oneLine(name)}: `, { field: 'secret' });
        const set = await credentials.set(tenant.id, { name, username, secret, hosts }, null);
        const done = set.outcome === 'created' ? `Stored ${name}.` : `Replaced ${name}.`;
        print(options, { tenant: tenant.name, ...set }, [done, usedSoon(dataDir)]);
      }),
    );

  withTenant(credentials.command('list').description('list credentials, without their secrets')).action(
    (options: TenantOptions) =>
      administer(options, async ({ auth, credentials }) => {
        const { id } = await auth.tenant(options.tenant);
        const found = await credentials.list(id);
        print(options, { credentials: found }, table(found));
      }),
  );

  withTenant(credentials.command('remove <name>').description('remove a credential that no connector lists')).action(
    (name: string, options: TenantOptions) =>
      administer(options, async ({ auth, credentials }) => {
        const tenant = await auth.tenant(options.tenant);
        await credentials.remove(tenant.id, name, null);
        print(options, { tenant: tenant.name, removed: name }, [`Removed ${name}.`]);
      }),
  );
}

function table(credentials: ShownCredential[]): string[] {
  const rows = credentials.map(({ name, username, hosts, updatedAt }) => [
    name,
    username === null ? '-' : oneLine(username),
    hosts.join(',') || 'any',
    updatedAt,
  ]);
  return alignedTable(['NAME', 'USERNAME', 'HOSTS', 'SET'], rows);
}
