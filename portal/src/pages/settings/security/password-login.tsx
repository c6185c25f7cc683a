import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { invalidate } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
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
    announce(passwordLogin ? t('Password logins are on') : t('Password logins are off'));
  };
  return (
    <Section id="password-login" title={isOn ? t('Password logins are on') : t('Password logins are off')}>
      <p className="muted">
        {isOn
          ? t(
              'Users may log in with a password, too. To switch that off, log in with an identity provider first: then it is known to work.',
            )
          : t(
              'Users log in only with an identity provider. If it fails, the operator makes a login link: agent-runtime users login-link EMAIL.',
            )}
      </p>
      <div className="row">
        <Button onClick={() => setAsking(true)}>{isOn ? t('Switch off …') : t('Switch on …')}</Button>
        <Link to="/settings/sign-on">{t('Identity providers')}</Link>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={isOn ? t('Switch password logins off?') : t('Switch password logins on?')}
          description={
            isOn
              ? t('Passwords of this tenant are refused from the next login on. Sessions go on.')
              : t('Users with a password may log in with it again.')
          }
          act={isOn ? t('Switch off') : t('Switch on')}
          look={isOn ? 'danger' : 'primary'}
          onAct={() => set(!isOn)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
