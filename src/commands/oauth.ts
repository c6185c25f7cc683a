import type { Command } from 'commander';
import type { State } from '../app/state.ts';
import type { ShownGrant } from '../core/access/oauth/schema.ts';
import { alignedTable, oneLine } from '../core/base/shared/text.ts';
import { type AdministrationOptions, type OptionalTenantOptions, withAdministration } from './input/options.ts';
import { readStandardInput } from './input/prompt.ts';
import { print } from './presentation/output.ts';
import { administer, optionalTenant } from './server/administer.ts';

const MAX_LISTED = 500;

interface AddOptions extends AdministrationOptions {
  name: string;
  redirectUri: string[];
  secret?: boolean;
  introspection?: boolean;
}

export function register(program: Command): void {
  const oauth = program
    .command('oauth')
    .description('see and end the access of applications that people connected; add applications');

  withAdministration(oauth.command('grants').description('list what people allowed applications, newest first'))
    .option('--tenant <tenant>', 'only of this tenant')
    .action((options: OptionalTenantOptions) =>
      administer(options, async (state) => {
        const tenant = await optionalTenant(state, options);
        const { items, total } = await state.grants.listAll(tenant?.id ?? null, { limit: MAX_LISTED, offset: 0 });
        print(options, { grants: items, total }, [...grantTable(items), ...more(total, items.length)]);
      }),
    );

  withAdministration(oauth.command('end <grant-id>').description('end a grant: its tokens are void at once')).action(
    (id: string, options: AdministrationOptions) =>
      administer(options, async ({ grants }) => {
        await grants.end(id, null);
        print(options, { ended: id }, [`Ended the grant ${id}.`]);
      }),
  );

  withAdministration(
    oauth.command('clients').description('list applications, but those with a metadata document'),
  ).action((options: AdministrationOptions) =>
    administer(options, async ({ oauthClients }) => {
      const { items, total } = await oauthClients.list({ limit: MAX_LISTED, offset: 0 });
      const rows = items.map(({ clientId, kind, name, redirectUris, lastUsedAt }) => [
        clientId,
        kind,
        oneLine(name ?? ''),
        oneLine(redirectUris.join(' ')),
        lastUsedAt ?? 'never',
      ]);
      const table = alignedTable(['CLIENT', 'KIND', 'NAME', 'REDIRECTS TO', 'LAST USED'], rows);
      print(options, { clients: items, total }, [...table, ...more(total, items.length)]);
    }),
  );

  withAdministration(oauth.command('add-client').description('add an application that does not register itself'))
    .requiredOption('--name <name>', 'shown to people who connect it')
    .requiredOption('--redirect-uri <address...>', 'where answers may go')
    .option('--secret', 'give it a secret, for an application that runs on a server')
    .option('--introspection', 'let it ask about every access token (RFC 7662); implies --secret')
    .action(addClient);

  withAdministration(
    oauth.command('remove-client <client-id>').description('remove an application and end its grants'),
  ).action((id: string, options: AdministrationOptions) =>
    administer(options, async ({ oauthClients }) => {
      await oauthClients.remove(id);
      print(options, { removed: id }, [`Removed the application ${id}; its grants are ended.`]);
    }),
  );

  withAdministration(
    oauth
      .command('inspect')
      .description('say whether an access token, read from standard input, is valid, and for what'),
  ).action((options: AdministrationOptions) =>
    administer(options, async (state) => {
      const found = await inspect(state, (await readStandardInput()).trim());
      print(
        options,
        found,
        Object.entries(found).map(([name, value]) => `${name}: ${[value].flat().join(' ')}`),
      );
      if (!found.active) process.exitCode = 1;
    }),
  );
}

async function addClient(options: AddOptions): Promise<void> {
  const { name, redirectUri: redirectUris, secret: confidential = false, introspection = false } = options;
  await administer(options, async ({ oauthClients }) => {
    const added = await oauthClients.configure({ name, redirectUris, confidential, introspection });
    print(options, added, [
      `client id: ${added.clientId}`,
      ...(added.clientSecret === null ? [] : [`client secret: ${added.clientSecret} (shown this once)`]),
    ]);
  });
}

async function inspect({ oauthStore, tokenAuthenticator }: State, token: string) {
  const audience = (await oauthStore.findToken(token))?.content.aud;
  try {
    const { label, grant, scopes, tenantId } = await tokenAuthenticator.authenticate(token, String(audience));
    return { active: true, user: label, application: grant!.client, audience: String(audience), scopes, tenantId };
  } catch (error) {
    return { active: false, reason: (error as Error).message };
  }
}

function grantTable(grants: readonly ShownGrant[]): string[] {
  if (grants.length === 0) return ['No application is connected.'];
  const rows = grants.map(({ id, user, client, scopes, expiresAt, lastUsedAt }) => [
    id,
    oneLine(user.email),
    oneLine(client.host ?? `${client.name ?? 'unnamed'} (${client.kind})`),
    scopes.join(' '),
    expiresAt,
    lastUsedAt ?? 'never',
  ]);
  return alignedTable(['GRANT', 'USER', 'APPLICATION', 'SCOPES', 'ENDS', 'LAST USED'], rows);
}

function more(total: number, shown: number): string[] {
  return total > shown ? [`… and ${total - shown} more.`] : [];
}
