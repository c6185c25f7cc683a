import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { useTold } from '../../second-factor/use-told.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/toast.tsx';

/** A new password ends all sessions, this one among them. */
export function Password({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const navigate = useNavigate();
  const { fault, isBusy, run } = useTold();
  const change = async () => {
    const body = { currentPassword: current, password: next };
    await answerOf(client.POST('/api/v1/portal/me/password', { body }));
    announce('Your password is changed. Log in with the new one.');
    await navigate({ to: '/login', search: { to: '/account' } });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(change);
  };
  return (
    <form className="stack" aria-labelledby="password" noValidate onSubmit={submit}>
      {/* For password managers. */}
      <input
        className="visually-hidden"
        type="text"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div className="fields">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters, not easy to guess."
          required
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
      </div>
      <div role="alert">{fault && <p className="field-error">{fault}</p>}</div>
      <div className="row">
        <Button type="submit" disabled={isBusy || current === '' || next === ''}>
          Change password
        </Button>
        <span className="muted small">All your sessions end, this one among them.</span>
      </div>
    </form>
  );
}
