import type { Command } from 'commander';
import type { Tenant } from '../core/access/auth/schema.ts';
import { REQUIREMENTS, type Requirement } from '../core/access/second-factor/store.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { alignedTable, counted } from '../core/base/shared/text.ts';
import { type AdministrationOptions, withAdministration } from './input/options.ts';
import { readJson } from './input/tenant-commands.ts';
import { print } from './presentation/output.ts';
import { registerTenantQuotas } from './quotas.ts';
import { administer } from './server/administer.ts';

interface SetOptions extends AdministrationOptions {
  retention?: string;
  executionRetention?: string;
  timezone?: string;
  secondFactor?: string;
  passwordLogin?: string;
  roleLimits?: string;
}

export function register(program: Command): void {
  const tenants = program.command('tenants').description('create, change and list tenants');

  withAdministration(tenants.command('create <name>').description('make a tenant')).action(
    (name: string, options: AdministrationOptions) =>
      administer(options, async ({ tenants }) => {
        const tenant = await tenants.create({ name });
        print(options, describeTenant(tenant), [`Created tenant ${tenant.name} with the id ${tenant.id}.`]);
      }),
  );

  withAdministration(
    tenants
      .command('set <tenant>')
      .description('change settings of a tenant, by name or id')
      .option('--retention <days>', 'days for which its events are kept, 90d for example; off keeps them for ever')
      .option('--execution-retention <days>', 'the same for its executions, by their start; their reviews stay')
      .option('--timezone <zone>', 'IANA name of its time zone, Europe/Berlin for example')
      .option('--second-factor <who>', 'who needs a second factor to log in: optional, administrators or everyone')
      .option(
        '--password-login <on|off>',
        'whether its users may log in with a password; off needs an identity provider',
      )
      .option('--role-limits <file>', 'JSON of what the users of each role are held to; off holds them to nothing'),
  ).action((name: string, options: SetOptions) =>
    administer(options, async ({ tenants }) => {
      const { retention, executionRetention, timezone, secondFactor, passwordLogin, roleLimits } = options;
      const changes = {
        ...(retention === undefined ? {} : { retentionDays: daysOf(retention, '--retention') }),
        ...(executionRetention === undefined
          ? {}
          : { executionRetentionDays: daysOf(executionRetention, '--execution-retention') }),
        ...(timezone === undefined ? {} : { timezone }),
        ...(secondFactor === undefined ? {} : { secondFactor: requirementOf(secondFactor) }),
        ...(passwordLogin === undefined ? {} : { passwordLogin: switchOf(passwordLogin) }),
        ...(roleLimits === undefined ? {} : { roleLimits: await limitsIn(roleLimits) }),
      };
      if (Object.keys(changes).length === 0)
        throw invalid(
          '--retention, --execution-retention, --timezone, --second-factor, --password-login, --role-limits: give at least one',
        );
      const tenant = await tenants.changeSettings(name, changes, null);
      print(options, describeTenant(tenant), [
        ...(retention === undefined ? [] : [keepsSentence(tenant.name, 'events', tenant.retentionDays)]),
        ...(executionRetention === undefined
          ? []
          : [keepsSentence(tenant.name, 'executions', tenant.executionRetentionDays)]),
        ...(timezone === undefined ? [] : [`${tenant.name} is in the time zone ${tenant.timezone} from now on.`]),
        ...(secondFactor === undefined ? [] : [`${tenant.name}: ${NEEDS[tenant.secondFactor]}`]),
        ...(passwordLogin === undefined
          ? []
          : [
              `Users of ${tenant.name} ${tenant.passwordLogin ? 'may log in with a password' : 'log in only with an identity provider'} from now on.`,
            ]),
        ...(roleLimits === undefined ? [] : [heldSentence(tenant)]),
      ]);
    }),
  );

  registerTenantQuotas(tenants);

  withAdministration(tenants.command('list').description('list all tenants')).action((options: AdministrationOptions) =>
    administer(options, async ({ tenants }) => {
      const found = (await tenants.list()).map(describeTenant);
      const rows = found.map((tenant) => [tenant.id, tenant.name, tenant.timezone, keeps(tenant.retentionDays)]);
      print(options, { tenants: found }, alignedTable(['ID', 'NAME', 'TIME ZONE', 'KEEPS EVENTS'], rows));
    }),
  );
}

function keeps(days: number | null): string {
  return days === null ? 'for ever' : `for ${counted(days, 'day')}`;
}

function keepsSentence(tenant: string, what: string, days: number | null): string {
  const removal = days === null ? '' : ' A running server removes older ones within the hour.';
  return `${tenant} keeps its ${what} ${keeps(days)}.${removal}`;
}

const NEEDS: Record<Requirement, string> = {
  optional: 'a second factor is optional.',
  administrators: 'administrators need a second factor from their next login on. Sessions stay.',
  everyone: 'everyone needs a second factor from their next login on. Sessions stay.',
};

function requirementOf(text: string): Requirement {
  const known = REQUIREMENTS.find((one) => one === text);
  if (known === undefined) throw invalid(`--second-factor: "${text}" is none of ${REQUIREMENTS.join(', ')}`);
  return known;
}

function daysOf(text: string, option: string): number | null {
  if (text === 'off') return null;
  const [, days] = /^(\d+)d$/.exec(text) ?? [];
  if (days === undefined) throw invalid(`${option}: "${text}" is neither a number of days such as 90d nor off`);
  return Number(days);
}

async function limitsIn(file: string): Promise<Tenant['roleLimits']> {
  return file === 'off' ? null : ((await readJson(file)) as Tenant['roleLimits']);
}

function heldSentence({ name, roleLimits }: Tenant): string {
  const roles = Object.keys(roleLimits ?? {});
  return roles.length === 0
    ? `No role of ${name} is held to limits from now on.`
    : `${roles.join(' and ')} of ${name} are held to their limits from now on.`;
}

function switchOf(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw invalid(`--password-login: "${text}" is neither on nor off`);
  return text === 'on';
}

function describeTenant(tenant: Tenant) {
  return { ...tenant, createdAt: new Date(tenant.createdAt).toISOString() };
}
