import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { announce } from '../../../ui/toast.tsx';
import { SETTINGS } from '../sign-on/providers.ts';

/** Switches password logins of the tenant off and on. */
export function PasswordLogin({ isOn }: { isOn: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const set = async (passwordLogin: boolean) => {
    await answerOf(client.PATCH(SETTINGS, { body: { passwordLogin } }));
    await invalidate((path) => path === SETTINGS);
    announce(passwordLogin ? 'Password logins are on' : 'Password logins are off');
  };
  return (
    <Section id="password-login" title={`Password logins are ${isOn ? 'on' : 'off'}`}>
      <p className="muted">
        {isOn
          ? 'Users may log in with a password, too. To switch that off, log in with an identity provider first: then it is known to work.'
          : 'Users log in only with an identity provider. If it fails, the operator makes a login link: agent-runtime users login-link EMAIL.'}
      </p>
      <div className="row">
        <Button onClick={() => setAsking(true)}>{isOn ? 'Switch off …' : 'Switch on …'}</Button>
        <Link to="/settings/sign-on">Identity providers</Link>
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
    </Section>
  );
}
