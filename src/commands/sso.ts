import type { Command } from 'commander';
import type { State } from '../app/state.ts';
import type { Config } from '../config.ts';
import { PRESET_NAMES, PRESETS, type Preset } from '../core/access/sso/presets.ts';
import type { ChangeProvider, CreateProvider, ShownIdentityProvider } from '../core/access/sso/schema.ts';
import { addressesOf } from '../core/access/sso/store.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { alignedTable, oneLine } from '../core/base/shared/text.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { readSecret } from './input/prompt.ts';
import { print } from './presentation/output.ts';
import { administer } from './server/administer.ts';

interface SsoOptions extends TenantOptions {
  installation?: true;
}

interface MemberOptions extends SsoOptions {
  name?: string;
  preset?: string;
  issuer?: string;
  clientId?: string;
  clientAuthentication?: string;
  scopes?: string;
  allowedDomains?: string;
  allowedDirectories?: string;
  roleClaim?: string;
  mapRole?: string[];
  defaultRole?: string;
  createUsers?: string;
  linkByEmail?: string;
  enabled?: string;
  mcp?: string;
  tenantClaim?: string;
  mapTenant?: string[];
}

const SECRET_HELP =
  '\nThe client secret is asked for on a terminal; otherwise it is what standard input holds. docs/sso.md has the steps for\nGoogle, Microsoft Entra, Okta, Keycloak and authentik.';

export function register(program: Command): void {
  const sso = program.command('sso').description('identity providers with which users log in to the portal');

  withMembers(ofTenant(sso.command('add <id>').description('add an identity provider, by OpenID Connect')))
    .option('--public-client', 'there is no client secret')
    .addHelpText('after', SECRET_HELP)
    .action((id: string, options: MemberOptions & { publicClient?: true }) =>
      onTenant(options, async (tenantId, { identityProviders }, config) => {
        const preset = presetOf(options.preset ?? 'other');
        const clientSecret = options.publicClient ? null : await readSecret('Client secret: ', { field: 'secret' });
        const members = {
          ...{ preset, name: PRESETS[preset].name, issuer: PRESETS[preset].issuer },
          ...membersOf(options),
          ...{ id, clientSecret },
        };
        const created = await identityProviders.create(tenantId, members as CreateProvider, null);
        printProvider(options, created, tenantId, config, [`Added ${id}.`]);
      }),
    );

  withMembers(ofTenant(sso.command('change <id>').description('change an identity provider; the rest stays')))
    .option('--secret', 'also set the client secret')
    .addHelpText('after', SECRET_HELP)
    .action((id: string, options: MemberOptions & { secret?: true }) =>
      onTenant(options, async (tenantId, { identityProviders }, config) => {
        const clientSecret = options.secret ? await readSecret('Client secret: ', { field: 'secret' }) : undefined;
        const changes = { ...membersOf(options), clientSecret } as ChangeProvider;
        const changed = await identityProviders.change(tenantId, id, changes, null);
        printProvider(options, changed, tenantId, config, [`Changed ${id}.`]);
      }),
    );

  ofTenant(sso.command('list').description('list identity providers')).action((options: SsoOptions) =>
    onTenant(options, async (tenantId, { identityProviders }) => {
      const found = await identityProviders.list(tenantId, null);
      const rows = found.map((one) => [
        one.id,
        oneLine(one.name),
        one.issuer,
        one.enabled ? 'yes' : 'no',
        one.updatedAt,
      ]);
      print(options, { identityProviders: found }, alignedTable(['ID', 'NAME', 'ISSUER', 'ENABLED', 'CHANGED'], rows));
    }),
  );

  ofTenant(
    sso.command('show <id>').description('show an identity provider, and the addresses to register there'),
  ).action((id: string, options: SsoOptions) =>
    onTenant(options, async (tenantId, { identityProviders }, config) => {
      printProvider(options, await identityProviders.get(tenantId, id, null), tenantId, config, []);
    }),
  );

  ofTenant(sso.command('remove <id>').description('remove an identity provider; users and sessions stay')).action(
    (id: string, options: SsoOptions) =>
      onTenant(options, async (tenantId, { identityProviders }) => {
        await identityProviders.remove(tenantId, id, null);
        print(options, { removed: id }, [`Removed ${id}.`]);
      }),
  );

  ofTenant(sso.command('test <id>').description('ask the provider whether a login would work')).action(
    (id: string, options: SsoOptions) =>
      onTenant(options, async (tenantId, { identityProviders }, config) => {
        const { redirectUri } = addressesAt(tenantId, id, config);
        const { works, checks } = await identityProviders.examine(tenantId, id, redirectUri, null);
        const rows = checks.map(({ check, outcome, message }) => [outcome, check, oneLine(message)]);
        print(options, { works, checks }, alignedTable(['OUTCOME', 'CHECK', 'FOUND'], rows));
        if (!works) process.exitCode = 1;
      }),
  );
}

function ofTenant(command: Command): Command {
  return withTenant(command).option('--installation', 'of all tenants; a claim chooses the tenant');
}

function withMembers(command: Command): Command {
  return command
    .option('--preset <preset>', `one of ${PRESET_NAMES.join(', ')}`)
    .option('--name <name>', 'on the button "Continue with ..."')
    .option('--issuer <url>', 'where discovery begins')
    .option('--client-id <id>', 'of the client that was registered at the provider')
    .option('--client-authentication <way>', 'auto, post or basic')
    .option('--scopes <scopes>', 'comma-separated; openid is added')
    .option('--allowed-domains <domains>', 'comma-separated domains of e-mails that may log in; none: all')
    .option('--allowed-directories <ids>', 'comma-separated Microsoft Entra directories that may log in; none: all')
    .option('--role-claim <claim>', 'the claim with groups or roles; none: roles stay as they are')
    .option('--map-role <value=ROLE...>', 'the role that a value of the claim gives')
    .option('--default-role <role>', 'USER, VIEWER or HUB_USER; none: who has no mapped value is refused')
    .option('--create-users <on|off>', 'whether the first login makes a user')
    .option('--link-by-email <on|off>', 'whether a first login takes a user of the same e-mail, verified or not')
    .option('--enabled <on|off>', 'whether people may log in with it')
    .option('--mcp <on|off>', 'whether it may let MCP clients act for its people by identity assertions (ID-JAG)')
    .option('--tenant-claim <claim>', 'with --installation: the claim that names the tenant')
    .option('--map-tenant <value=tenant...>', 'with --installation: the tenant of a value of the claim');
}

function onTenant(
  options: SsoOptions,
  work: (tenantId: string | null, state: State, config: Config) => Promise<void>,
): Promise<void> {
  return administer(options, async (state, config) =>
    work(options.installation ? null : (await state.tenants.get(options.tenant)).id, state, config),
  );
}

function membersOf(options: MemberOptions): Record<string, unknown> {
  const { name, issuer, clientId, clientAuthentication } = options;
  const members = {
    ...{ name, issuer, clientId, clientAuthentication },
    preset: options.preset === undefined ? undefined : presetOf(options.preset),
    scopes: listOf(options.scopes),
    allowedDomains: listOf(options.allowedDomains),
    allowedDirectories: listOf(options.allowedDirectories),
    roleClaim: orNull(options.roleClaim),
    roleMapping: pairsOf('--map-role', options.mapRole)?.map(([value, role]) => ({ value, role })),
    defaultRole: orNull(options.defaultRole),
    createUsers: switchOf('--create-users', options.createUsers),
    linkByEmail: switchOf('--link-by-email', options.linkByEmail),
    enabled: switchOf('--enabled', options.enabled),
    mcp: switchOf('--mcp', options.mcp),
    tenantClaim: orNull(options.tenantClaim),
    tenantMapping: pairsOf('--map-tenant', options.mapTenant)?.map(([value, tenant]) => ({ value, tenant })),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function presetOf(text: string): Preset {
  const preset = PRESET_NAMES.find((name) => name === text);
  if (preset === undefined) throw invalid(`--preset: must be one of ${PRESET_NAMES.join(', ')}`);
  return preset;
}

function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? [] : text.split(',').map((part) => part.trim());
}

function orNull(text: string | undefined): string | null | undefined {
  return text === 'none' ? null : text;
}

function switchOf(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw invalid(`${option}: must be on or off`);
  return text === 'on';
}

/** The value may have an equals sign, as distinguished names have. */
function pairsOf(option: string, texts: string[] | undefined): [string, string][] | undefined {
  if (texts?.length === 1 && texts[0] === 'none') return [];
  return texts?.map((text) => {
    const [, value, meant] = /^(.+)=([^=]+)$/.exec(text) ?? [];
    if (value === undefined || meant === undefined)
      throw invalid(`${option}: "${text}" is not of the form value=meaning`);
    return [value, meant];
  });
}

function addressesAt(tenantId: string | null, id: string, { publicUrl, port }: Config) {
  return addressesOf({ tenantId, id }, `${(publicUrl ?? `http://127.0.0.1:${port}`).replace(/\/+$/, '')}/`);
}

function printProvider(
  options: SsoOptions,
  provider: ShownIdentityProvider,
  tenantId: string | null,
  config: Config,
  lines: string[],
): void {
  const shown = { ...provider, ...addressesAt(tenantId, provider.id, config) };
  const rows = Object.entries(shown).map(([name, value]) => [name, oneLine(textOf(value))]);
  print(options, shown, [...lines, ...alignedTable(['MEMBER', 'VALUE'], rows)]);
}

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (!Array.isArray(value)) return String(value);
  return value.map((one) => (typeof one === 'string' ? one : Object.values(one as object).join('='))).join(', ') || '-';
}
