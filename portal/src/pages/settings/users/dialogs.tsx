import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { Check, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { usersChanged } from './changed.ts';
import { EditUser } from './edit.tsx';
import { USER, type User } from './users.ts';

export type UserChange =
  | { kind: 'edit'; id: string }
  | { kind: 'deactivate'; user: User }
  | { kind: 'reactivate'; user: User }
  | { kind: 'password'; user: User }
  | { kind: 'reset'; user: User };

export default function UserDialog({ change, onClose }: { change: UserChange; onClose(): void }) {
  if (change.kind === 'edit') return <EditUser id={change.id} onClose={onClose} />;
  const props = { user: change.user, onClose };
  if (change.kind === 'deactivate') return <Deactivate {...props} />;
  if (change.kind === 'reactivate') return <Reactivate {...props} />;
  return change.kind === 'password' ? <SetPassword {...props} /> : <Reset {...props} />;
}

interface Props {
  user: User;
  onClose(): void;
}

const setActive = ({ id }: User, isActive: boolean) =>
  answerOf(client.PATCH(USER, { params: { path: { id } }, body: { isActive } }));

function Deactivate({ user, onClose }: Props) {
  const [revokesKeys, setRevokesKeys] = useState(false);
  const deactivate = async () => {
    await setActive(user, false);
    const query = { createdBy: user.id };
    if (revokesKeys) await answerOf(client.DELETE('/api/v1/portal/keys', { params: { query } }));
  };
  return (
    <ActDialog
      title={t('Deactivate {name}?', { name: user.name })}
      description={t('The user cannot log in any more, until somebody reactivates them.')}
      act={t('Deactivate')}
      onAct={deactivate}
      invalidate={usersChanged}
      done={t('{name} is deactivated', { name: user.name })}
      onClose={onClose}
    >
      <div>
        <p>{t('This ends at once:')}</p>
        <ul className="bullets">
          <li>{t('logins and sessions of the user')}</li>
          <li>{t('what connected applications may do for them')}</li>
          <li>{t('alerts and digests that they made: they are switched off, and say why')}</li>
          <li>{t('e-mails to them')}</li>
        </ul>
      </div>
      <div>
        <p>{t('This goes on:')}</p>
        <ul className="bullets">
          <li>{t('dashboards, cards, metrics and reviews that they made')}</li>
          <li>{t('API keys that they made, unless you revoke them: programs of others may use them')}</li>
        </ul>
      </div>
      <Check label={t('Revoke their API keys, too, for good')} checked={revokesKeys} onChange={setRevokesKeys} />
    </ActDialog>
  );
}

function Reactivate({ user, onClose }: Props) {
  return (
    <ActDialog
      title={t('Reactivate {name}?', { name: user.name })}
      description={t(
        'The user may log in again, with the password and the role from before. Alerts and digests that were switched off stay so, and revoked keys stay void.',
      )}
      act={t('Reactivate')}
      look="primary"
      onAct={() => setActive(user, true)}
      invalidate={usersChanged}
      done={t('{name} may log in again', { name: user.name })}
      onClose={onClose}
    />
  );
}

function Reset({ user, onClose }: Props) {
  return (
    <ActDialog
      title={t('Reset the second factor of {name}?', { name: user.name })}
      description={t(
        'Their authenticator app, passkeys and recovery codes are void, and their sessions and connected applications end. The password alone then logs them in, unless the workspace requires a second factor: the next login asks to add one. Be sure that it is this person who asks.',
      )}
      act={t('Reset')}
      onAct={() =>
        answerOf(client.DELETE('/api/v1/portal/users/{id}/second-factor', { params: { path: { id: user.id } } }))
      }
      invalidate={usersChanged}
      done={t('The second factor is reset')}
      onClose={onClose}
    />
  );
}

function SetPassword({ user, onClose }: Props) {
  return (
    <FormDialog
      title={t('Set the password of {name}', { name: user.name })}
      description={t('Their sessions end. Tell it to them on another way than e-mail, and ask them to change it.')}
      act={t('Set password')}
      start={{ password: '' }}
      onSubmit={(body) => answerOf(client.PUT(`${USER}/password`, { params: { path: { id: user.id } }, body }))}
      invalidate={usersChanged}
      done={t('The password is set')}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t('New password')}
          type="password"
          autoComplete="new-password"
          help={t('At least 12 characters, not easy to guess.')}
          {...field.text('password')}
        />
      )}
    </FormDialog>
  );
}
