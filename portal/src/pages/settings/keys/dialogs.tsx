import { useRef, useState } from 'react';
import { answerOf, api, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { When } from '../../../ui/time.tsx';
import { CreateKey } from './create.tsx';
import { KEYS, type KeyChange, keysChanged, type Maker } from './keys.ts';
import { MadeKey } from './made-key.tsx';
import { scopeText } from './scopes.ts';
import type { Key, NewKey } from './types.ts';

export default function ChangeDialog({ change, onClose }: { change: KeyChange; onClose(): void }) {
  const [made, setMade] = useState<NewKey | null>(null);
  // A form closes its dialog: the new key then takes its place.
  const isMade = useRef(false);
  const onMade = async (key: NewKey) => {
    isMade.current = true;
    setMade(key);
    await keysChanged();
  };
  const onFormClose = () => isMade.current || onClose();
  if (made) return <MadeKey made={made} isRotated={change.kind === 'rotate'} onClose={onClose} />;
  if (change.kind === 'create') return <CreateKey onMade={onMade} onClose={onFormClose} />;
  if (change.kind === 'rotate') return <RotateKey apiKey={change.key} onMade={onMade} onClose={onFormClose} />;
  if (change.kind === 'revoke') return <RevokeKey apiKey={change.key} onClose={onClose} />;
  return <RevokeAll maker={change.maker} onClose={onClose} />;
}

const OVERLAPS = [
  { value: '0', label: t('Not at all: it is void at once') },
  { value: '3600', label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
] as const;

interface RotateKeyProps {
  apiKey: Key;
  onMade(key: NewKey): Promise<void>;
  onClose(): void;
}

function RotateKey({ apiKey: { id, label, formerSecretUntil }, onMade, onClose }: RotateKeyProps) {
  const start: { overlapSeconds: (typeof OVERLAPS)[number]['value'] } = { overlapSeconds: '86400' };
  const rotate = async (form: typeof start) => {
    const body = { overlapSeconds: Number(form.overlapSeconds) };
    await onMade(await answerOf(client.POST(`${KEYS}/{id}/rotate`, { params: { path: { id } }, body })));
  };
  return (
    <FormDialog
      title={t('Rotate {label}?', { label })}
      description={t('The key gets a new secret, which is shown once. Its scopes, expiry and quotas stay.')}
      act={t('Rotate')}
      start={start}
      onSubmit={rotate}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <SelectField
            label={t('The old secret works beside the new one for')}
            help={t('The time in which programs change over. A revocation ends both.')}
            options={OVERLAPS}
            {...field.choice('overlapSeconds')}
          />
          {formerSecretUntil !== null && (
            <p className="notice">{t('The secret before the last rotation, which still works, is void at once.')}</p>
          )}
        </>
      )}
    </FormDialog>
  );
}

function RevokeKey({ apiKey: { id, label, scopes, lastUsedAt }, onClose }: { apiKey: Key; onClose(): void }) {
  return (
    <ActDialog
      title={t('Revoke {label}?', { label })}
      description={t('Whatever uses this key is refused from now on, for good. What it recorded stays.')}
      act={t('Revoke')}
      onAct={() => answerOf(client.DELETE(`${KEYS}/{id}`, { params: { path: { id } } }))}
      invalidate={keysChanged}
      done={t('The key was revoked')}
      onClose={onClose}
    >
      <div className="stack tight">
        <p>
          <When text="It was last used {time}" iso={lastUsedAt} none={t('It has not been used yet')} />.{' '}
          {t('This ends:')}
        </p>
        <ul className="bullets">
          {scopes.map((scope) => (
            <li key={scope}>{scopeText(scope)}</li>
          ))}
        </ul>
      </div>
    </ActDialog>
  );
}

function RevokeAll({ maker: { id, name }, onClose }: { maker: Maker; onClose(): void }) {
  const query = { maker: id, state: 'active', limit: 1 } as const;
  const { data } = api.useQuery('get', KEYS, { params: { query } }, { staleTime: 0 });
  const meant =
    data === undefined
      ? t('Every key that {name} made: whatever uses them is refused from now on, for good.', { name })
      : t.count(
          data.total,
          'The one working key that {name} made: whatever uses them is refused from now on, for good.',
          '{count} working keys that {name} made: whatever uses them is refused from now on, for good.',
          { name },
        );
  return (
    <ActDialog
      title={t('Revoke all keys of {name}?', { name })}
      description={`${meant} ${t('Keys of others stay.')}`}
      act={t('Revoke all')}
      onAct={() => answerOf(client.DELETE(KEYS, { params: { query: { createdBy: id } } }))}
      invalidate={keysChanged}
      done={t('The keys of {name} were revoked', { name })}
      onClose={onClose}
    />
  );
}
