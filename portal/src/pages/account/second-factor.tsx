import { useState } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { canUsePasskeys } from '../../second-factor/passkey.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type Change, ChangeDialog, FACTORS } from './dialogs.tsx';

type Factors = Schemas['SecondFactors'];

/** The authenticator app, the passkeys and the recovery codes. */
export function SecondFactor() {
  const query = api.useQuery('get', FACTORS);
  const { data } = query;
  const [change, setChange] = useState<Change | null>(null);
  if (query.error || !data) return <QueryState query={query} what="your second factors" />;
  const { totp, passkeys, recoveryCodes } = data;
  const hasFactor = totp !== null || passkeys.length > 0;
  return (
    <>
      <Introduction factors={data} />
      {hasFactor && (
        <ItemList label="Second factors">
          {totp && <App totp={totp} onChange={setChange} />}
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} onChange={setChange} />
          ))}
          <Item title="Recovery codes" end={<Button onClick={() => setChange({ kind: 'codes' })}>Replace</Button>}>
            <p className="small muted">
              {recoveryCodes === 0 ? 'None is left.' : `${recoveryCodes} of 10 are left.`} Each logs you in once without
              your device.
            </p>
          </Item>
        </ItemList>
      )}
      <div className="row">
        <Button look={hasFactor ? 'plain' : 'primary'} icon="add" onClick={() => setChange({ kind: 'app' })}>
          {totp ? 'Another authenticator app' : 'Authenticator app'}
        </Button>
        {data.passkeyHost !== null && canUsePasskeys() && (
          <Button icon="add" onClick={() => setChange({ kind: 'passkey' })}>
            Passkey
          </Button>
        )}
      </div>
      {(data.passkeyHost === null || !canUsePasskeys()) && <NoPasskeysHere />}
      {change && <ChangeDialog change={change} onClose={() => setChange(null)} />}
    </>
  );
}

function Introduction({ factors: { required, totp, passkeys } }: { factors: Factors }) {
  if (totp === null && passkeys.length === 0) {
    return (
      <p>
        {required ? 'Your tenant requires a second factor from your next login on. ' : ''}
        With a second factor, your password alone logs nobody in. Changes of keys, credentials and users ask for it,
        too.
      </p>
    );
  }
  return required ? <p className="muted small">Your tenant requires one.</p> : null;
}

function App({ totp, onChange }: { totp: NonNullable<Factors['totp']>; onChange(change: Change): void }) {
  return (
    <Item
      title="Authenticator app"
      end={
        <IconButton
          icon="trash"
          label="Remove the authenticator app"
          onClick={() => onChange({ kind: 'remove', passkey: null })}
        />
      }
    >
      <Use {...totp} />
    </Item>
  );
}

function Passkey({ passkey, onChange }: { passkey: Schemas['Passkey']; onChange(change: Change): void }) {
  const { name, host } = passkey;
  return (
    <Item
      title={name}
      beside={<span className="small muted">passkey for {host}</span>}
      end={
        <>
          <IconButton icon="edit" label={`Rename ${name}`} onClick={() => onChange({ kind: 'rename', passkey })} />
          <IconButton icon="trash" label={`Remove ${name}`} onClick={() => onChange({ kind: 'remove', passkey })} />
        </>
      }
    >
      <Use {...passkey} />
    </Item>
  );
}

function Use({ createdAt, lastUsedAt }: { createdAt: string; lastUsedAt: string | null }) {
  return (
    <p className="small muted">
      Added <Time iso={createdAt} />
      {lastUsedAt !== null && (
        <>
          , last used <Time iso={lastUsedAt} />
        </>
      )}
    </p>
  );
}

/** Browsers have passkeys for host names over https, and for localhost. */
function NoPasskeysHere() {
  const { hostname, port, protocol } = window.location;
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]';
  const local = `${protocol}//localhost${port === '' ? '' : `:${port}`}/account`;
  return (
    <p className="muted small">
      Passkeys do not work at this address: browsers refuse IP addresses.{' '}
      {isLoopback ? (
        <>
          Open <a href={local}>{local}</a> for them.
        </>
      ) : (
        'Open the portal at its public address for them.'
      )}
    </p>
  );
}
