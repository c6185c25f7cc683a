import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Badge, Item, Rows } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { forAdministrators } from '../administrator-page.tsx';
import { PRESETS, PROVIDERS, type Provider, type ProviderChange } from './providers.ts';

const ChangeDialog = lazyDialog(() => import('./dialogs.tsx'));

/** The identity providers of the tenant. */
export const SignOn = forAdministrators(
  t('Single sign-on'),
  t('Only administrators see identity providers.'),
  Providers,
);

function Providers() {
  const [change, setChange] = useState<ProviderChange | null>(null);
  const query = api.useQuery('get', PROVIDERS);
  const providers = query.data?.identityProviders;
  return (
    <>
      <PageHead title={t('Single sign-on')}>
        <Button look="primary" icon="add" onClick={() => setChange({ kind: 'add' })}>
          {t('Add identity provider')}
        </Button>
      </PageHead>
      <div className="stack">
        <p className="muted">
          {t(
            'With an identity provider people log in with an account that they have already: of Google, Microsoft Entra, Okta, Keycloak, authentik or any other provider of OpenID Connect.',
          )}
        </p>
        <QueryState query={query} height={240} />
        <Rows
          label={t('Identity providers')}
          rows={providers}
          none={t('No identity provider yet')}
          next={
            <p>
              {t(
                'Register this server at your provider, then add it here. docs/sso.md has the steps for each product.',
              )}
            </p>
          }
        >
          {(provider) => <ProviderItem key={provider.id} provider={provider} onChange={setChange} />}
        </Rows>
        {providers && (
          <p>
            {t.nodes('Whether people may log in with a password, too, is under {link}.', {
              link: <Link to="/settings/security">{t('Security')}</Link>,
            })}
          </p>
        )}
      </div>
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function ProviderItem({ provider, onChange }: { provider: Provider; onChange(change: ProviderChange): void }) {
  const { name, preset, issuer, enabled, redirectUri, backchannelLogoutUri } = provider;
  return (
    <Item
      title={name}
      beside={
        <>
          <span className="small muted">{PRESETS[preset].label}</span>
          {!enabled && <Badge tone="muted">{t('Off')}</Badge>}
        </>
      }
      end={
        <>
          <Button onClick={() => onChange({ kind: 'test', provider })} aria-label={t('Test {name}', { name })}>
            {t('Test')}
          </Button>
          <IconButton
            icon="edit"
            label={t('Edit {title}', { title: name })}
            onClick={() => onChange({ kind: 'edit', provider })}
          />
          <IconButton
            icon="trash"
            label={t('Delete {name}', { name })}
            onClick={() => onChange({ kind: 'delete', provider })}
          />
        </>
      }
    >
      <Facts
        label={t('Addresses of {name}', { name })}
        facts={{
          [t('Issuer')]: <code>{issuer}</code>,
          [t('Redirect URI')]: <Address text={redirectUri} label={t('Copy the redirect URI of {name}', { name })} />,
          [t('Back-channel logout URI')]: (
            <Address text={backchannelLogoutUri} label={t('Copy the back-channel logout URI of {name}', { name })} />
          ),
        }}
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
