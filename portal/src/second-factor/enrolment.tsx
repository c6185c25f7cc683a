import { useState } from 'react';
import { encode } from 'uqr';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Form, TextField, typing } from '../ui/field.tsx';
import { type Begun, type NewFactor, newPasskey } from './passkey.ts';
import { useTold } from './proof-form.tsx';

interface EnrolmentProps {
  begin(): Promise<Begun>;
  /** When it throws, the form shows the message. */
  confirm(factor: NewFactor): Promise<void>;
  onCancel(): void;
}

/** Adds an authenticator app: a QR code, and the first code of the app. */
export function AppEnrolment({ begun, confirm, onCancel }: { begun: Begun } & Omit<EnrolmentProps, 'begin'>) {
  const [code, setCode] = useState('');
  const { fault, isBusy, run } = useTold();
  const { secret, uri } = begun.totp!;
  return (
    <Form aria-label={t('Authenticator app')} onSubmit={() => void run(async () => confirm({ code: code.trim() }))}>
      <p>{t('Scan this with an authenticator app, then enter the code that it shows.')}</p>
      <QrCode text={uri} label={t('QR code for the authenticator app')} />
      <details>
        <summary>{t('Enter a key instead')}</summary>
        <div className="row">
          <code className="breaking">{secret.match(/.{1,4}/g)!.join(' ')}</code>
          <CopyButton text={secret} label={t('Copy the key')} />
        </div>
      </details>
      <TextField
        label={t('Code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        {...typing(code, setCode)}
      />
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="row">
        <Button type="submit" look="primary" disabled={isBusy || code.trim() === ''}>
          {t('Add')}
        </Button>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
      </div>
    </Form>
  );
}

/** Adds a passkey: a name, then the browser's own dialog. */
export function PasskeyEnrolment({ begin, confirm, onCancel }: EnrolmentProps) {
  const [name, setName] = useState('');
  const { fault, isBusy, run } = useTold();
  const add = async () => {
    const { passkeyOptions } = await begin();
    const passkey = await newPasskey(passkeyOptions ?? {});
    await confirm({ passkey, ...(name.trim() !== '' && { name: name.trim() }) });
  };
  return (
    <Form aria-label={t('Passkey')} onSubmit={() => void run(add)}>
      <p>{t('A passkey is kept by this device, a phone or a security key. Your browser asks which.')}</p>
      <TextField
        label={t('Name')}
        help={t('To tell your passkeys apart: “Laptop”, “Blue key”.')}
        maxLength={100}
        {...typing(name, setName)}
      />
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="row">
        <Button type="submit" look="primary" disabled={isBusy}>
          {t('Make a passkey')}
        </Button>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
      </div>
    </Form>
  );
}

/** The picture of a text, dark on light in both themes, as apps expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
