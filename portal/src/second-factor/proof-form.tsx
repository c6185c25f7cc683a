import { useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { Form, TextField, typing } from '../ui/field.tsx';
import { useTask } from '../ui/refusal.tsx';
import { sentenceOf } from './messages.ts';
import { givePasskey, type Method, type Offer, type Proof } from './passkey.ts';

interface ProofFormProps {
  offer: Offer;
  act: string;
  /** When it throws, the form shows the message. */
  onProof(proof: Proof): Promise<void>;
  onCancel?(): void;
}

/** Asks for a passkey, a code or a recovery code, whichever the user has. */
export function ProofForm({ offer: { methods, passkeyOptions }, act, onProof, onCancel }: ProofFormProps) {
  const [usesRecovery, setUsesRecovery] = useState(!methods.includes('code') && !methods.includes('passkey'));
  const [text, setText] = useState('');
  const { fault, isBusy, run, forgetError } = useTold();
  const typed: Method = usesRecovery ? 'recoveryCode' : 'code';
  const canType = methods.includes(typed);

  const give = (proof: () => Promise<Proof>) =>
    void run(async () => {
      try {
        await onProof(await proof());
      } catch (error) {
        setText('');
        throw error;
      }
    });
  const submit = () => canType && give(async () => ({ [typed]: text.trim() }));
  const change = () => {
    setUsesRecovery(!usesRecovery);
    setText('');
    forgetError();
  };
  if (methods.length === 0) {
    return (
      <p>
        {t(
          'None of your second factors works at this address, and no recovery code is left. Open the portal at its usual address, or ask an administrator to reset your second factor.',
        )}
      </p>
    );
  }
  return (
    <Form aria-label={t('Second factor')} onSubmit={submit}>
      {passkeyOptions && !usesRecovery && (
        <Button
          look={canType ? 'plain' : 'primary'}
          disabled={isBusy}
          onClick={() => give(async () => ({ passkey: await givePasskey(passkeyOptions) }))}
        >
          {t('Use a passkey')}
        </Button>
      )}
      {canType && !usesRecovery && (
        <TextField
          key="code"
          label={t('Code of your authenticator app')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          autoFocus
          {...typing(text, setText)}
        />
      )}
      {canType && usesRecovery && (
        <TextField
          key="recovery"
          label={t('Recovery code')}
          autoComplete="off"
          spellCheck={false}
          help={t('Each works once.')}
          required
          autoFocus
          {...typing(text, setText)}
        />
      )}
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="row">
        {canType && (
          <Button type="submit" look="primary" disabled={isBusy || text.trim() === ''}>
            {act}
          </Button>
        )}
        {onCancel && <Button onClick={onCancel}>{t('Cancel')}</Button>}
        {methods.includes('recoveryCode') && methods.length > 1 && (
          <Button look="quiet" onClick={change}>
            {usesRecovery ? t('Use another way') : t('Use a recovery code')}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** A task of a form, with what went wrong, in the words of this form. */
export function useTold() {
  const { error, ...task } = useTask();
  return { ...task, fault: error === null ? null : sentenceOf(error) };
}
