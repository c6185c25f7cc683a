import { useEffect, useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { AppEnrolment, PasskeyEnrolment } from '../../second-factor/enrolment.tsx';
import type { Begun, NewFactor } from '../../second-factor/passkey.ts';
import { RecoveryCodes } from '../../second-factor/recovery-codes.tsx';
import { ActDialog, ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { ErrorNotice, Loading } from '../../ui/states.tsx';
import { announce } from '../../ui/toast.tsx';

export const FACTORS = '/api/v1/portal/me/second-factor';

type ShownPasskey = Schemas['Passkey'];

export type Change =
  | { kind: 'app' }
  | { kind: 'passkey' }
  | { kind: 'codes' }
  | { kind: 'rename'; passkey: ShownPasskey }
  /** The passkey, or null for the authenticator app. */
  | { kind: 'remove'; passkey: ShownPasskey | null };

export function ChangeDialog({ change, onClose }: { change: Change; onClose(): void }) {
  if (change.kind === 'app' || change.kind === 'passkey') return <AddDialog method={change.kind} onClose={onClose} />;
  if (change.kind === 'codes') return <CodesDialog onClose={onClose} />;
  if (change.kind === 'rename') return <RenameDialog passkey={change.passkey} onClose={onClose} />;
  return <RemoveDialog passkey={change.passkey} onClose={onClose} />;
}

const changed = () => invalidate((path) => path === FACTORS);

const begin = (method: 'code' | 'passkey'): Promise<Begun> =>
  answerOf(client.POST(`${FACTORS}/enrolment`, { body: { method } }));

function AddDialog({ method, onClose }: { method: 'app' | 'passkey'; onClose(): void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  useEffect(() => {
    if (method === 'app') begin('code').then(setBegun, setError);
  }, [method]);
  const confirm = async (factor: NewFactor) => {
    const { recoveryCodes } = await answerOf(client.POST(`${FACTORS}/enrolment/confirm`, { body: factor }));
    await changed();
    announce(method === 'app' ? t('The authenticator app is added.') : t('The passkey is added.'));
    if (recoveryCodes) setCodes(recoveryCodes);
    else onClose();
  };
  if (codes) return <ShownCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog open title={method === 'app' ? t('Add an authenticator app') : t('Add a passkey')} onClose={onClose}>
      {method === 'passkey' && <PasskeyEnrolment begin={() => begin('passkey')} confirm={confirm} onCancel={onClose} />}
      {method === 'app' && begun && <AppEnrolment begun={begun} confirm={confirm} onCancel={onClose} />}
      {method === 'app' && !begun && error === null && <Loading />}
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}

function ShownCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <ShownOnce title={t('Your recovery codes')} act={t('I have kept them')} onClose={onClose}>
      <RecoveryCodes codes={codes} />
    </ShownOnce>
  );
}

function CodesDialog({ onClose }: { onClose(): void }) {
  // The new codes take the place of the question, which closes after it.
  const isReplaced = useRef(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const replace = async () => {
    const { recoveryCodes } = await answerOf(client.POST(`${FACTORS}/recovery-codes`, { body: {} }));
    await changed();
    isReplaced.current = true;
    setCodes(recoveryCodes);
  };
  if (codes) return <ShownCodes codes={codes} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('Replace the recovery codes')}
      description={t('You get ten new codes. Those that you have are void at once.')}
      act={t('Replace')}
      look="primary"
      onAct={replace}
      onClose={() => isReplaced.current || onClose()}
    />
  );
}

function RenameDialog({ passkey, onClose }: { passkey: ShownPasskey; onClose(): void }) {
  const rename = ({ name }: { name: string }) => {
    const params = { path: { id: passkey.id } };
    return answerOf(client.PATCH(`${FACTORS}/passkeys/{id}`, { params, body: { name: name.trim() } }));
  };
  const start = { name: passkey.name };
  return (
    <FormDialog
      title={t('Rename the passkey')}
      act={t('Rename')}
      {...{ start, onClose }}
      onSubmit={rename}
      invalidate={changed}
    >
      {({ field }) => <TextField label={t('Name')} maxLength={100} {...field.text('name')} />}
    </FormDialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: ShownPasskey | null; onClose(): void }) {
  return (
    <ActDialog
      title={passkey ? t('Remove {name}', { name: passkey.name }) : t('Remove the authenticator app')}
      description={t('It logs you in no more. Without any second factor, your recovery codes are void, too.')}
      act={t('Remove')}
      onAct={() =>
        passkey
          ? answerOf(client.DELETE(`${FACTORS}/passkeys/{id}`, { params: { path: { id: passkey.id } } }))
          : answerOf(client.DELETE(`${FACTORS}/totp`, {}))
      }
      invalidate={changed}
      done={passkey ? t('The passkey is removed.') : t('The authenticator app is removed.')}
      onClose={onClose}
    />
  );
}
