import { useState } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { invalidate, useSession } from '../../../api/session.ts';
import { NotAllowed } from '../../../editor/editor-page.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, QueryState } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { PRESETS, PROVIDERS, type Provider, type ProviderChange, SETTINGS } from './providers.ts';

const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** Identity providers, and whether passwords are accepted. For administrators. */
export function SignOn() {
  const { isAdministrator } = useSession();
  if (!isAdministrator) return <NotAllowed title="Single sign-on" nouns="dashboards" />;
  return <Providers />;
}

function Providers() {
  const [change, setChange] = useState<ProviderChange | null>(null);
  const query = api.useQuery('get', PROVIDERS);
  const providers = query.data?.identityProviders;
  return (
    <>
      <PageHead title="Single sign-on">
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
          Add identity provider
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          With an identity provider people log in with an account that they have already: of Google, Microsoft Entra,
          Okta, Keycloak, authentik or any other provider of OpenID Connect.
        </p>
        <QueryState query={query} what="identity providers" height={240} />
        {providers && providers.length > 0 && (
          <ItemList label="Identity providers">
            {providers.map((provider) => (
              <ProviderItem key={provider.id} provider={provider} onChange={setChange} />
            ))}
          </ItemList>
        )}
        {providers?.length === 0 && (
          <div className="panel">
            <EmptyState title="No identity provider yet">
              <p>
                Register this server at your provider, then add it here. docs/sso.md has the steps for each product.
              </p>
            </EmptyState>
          </div>
        )}
        {providers && <PasswordLogin />}
      </div>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

interface ProviderItemProps {
  provider: Provider;
  onChange(change: ProviderChange): void;
}

function ProviderItem({ provider, onChange }: ProviderItemProps) {
  const { name, preset, issuer, enabled, redirectUri, backchannelLogoutUri } = provider;
  return (
    <Item
      title={name}
      beside={
        <>
          <span className="small muted">{PRESETS[preset].label}</span>
          {!enabled && <Badge tone="muted">Off</Badge>}
        </>
      }
      end={
        <>
          <Button onClick={() => onChange({ kind: 'test', provider })} aria-label={`Test ${name}`}>
            Test
          </Button>
          <IconButton icon="edit" label={`Edit ${name}`} onClick={() => onChange({ kind: 'edit', provider })} />
          <IconButton icon="trash" label={`Delete ${name}`} onClick={() => onChange({ kind: 'delete', provider })} />
        </>
      }
    >
      <Facts
        label={`Addresses of ${name}`}
        facts={[
          ['Issuer', <code key="issuer">{issuer}</code>],
          ['Redirect URI', <Address key="redirect" text={redirectUri} label={`Copy the redirect URI of ${name}`} />],
          [
            'Back-channel logout URI',
            <Address key="logout" text={backchannelLogoutUri} label={`Copy the back-channel logout URI of ${name}`} />,
          ],
        ]}
      />
    </Item>
  );
}

function Address({ text, label }: { text: string; label: string }) {
  return (
    <span className="row">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** Switches password logins of the tenant off and on. */
function PasswordLogin() {
  const { data, error, refetch } = api.useQuery('get', SETTINGS);
  const [isAsking, setAsking] = useState(false);
  const set = async (passwordLogin: boolean) => {
    await answerOf(client.PATCH(SETTINGS, { body: { passwordLogin } }));
    await invalidate((path) => path === SETTINGS);
    announce(passwordLogin ? 'Password logins are on' : 'Password logins are off');
  };
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const isOn = data.passwordLogin;
  return (
    <section className="panel padded stack" aria-labelledby="password-login">
      <h2 id="password-login">Password logins are {isOn ? 'on' : 'off'}</h2>
      <p className="muted">
        {isOn
          ? 'Users may log in with a password, too. To switch that off, log in with an identity provider first: then it is known to work.'
          : 'Users log in only with an identity provider. If it fails, the operator makes a login link: agent-runtime users login-link EMAIL.'}
      </p>
      <div className="row">
        <Button onClick={() => setAsking(true)}>{isOn ? 'Switch off …' : 'Switch on …'}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={isOn ? 'Switch password logins off?' : 'Switch password logins on?'}
          description={
            isOn
              ? 'Passwords of this tenant are refused from the next login on. Sessions go on.'
              : 'Users with a password may log in with it again.'
          }
          act={isOn ? 'Switch off' : 'Switch on'}
          look={isOn ? 'danger' : 'primary'}
          onAct={() => set(!isOn)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
