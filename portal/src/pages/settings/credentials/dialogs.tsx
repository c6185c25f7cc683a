import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { CREDENTIALS, type Credential, type CredentialChange, credentialsChanged } from './credentials.ts';

export default function ChangeDialog({ change, onClose }: { change: CredentialChange; onClose(): void }) {
  if (change.kind === 'remove') return <RemoveCredential credential={change.credential} onClose={onClose} />;
  return <SetCredential change={change} onClose={onClose} />;
}

interface SetCredentialProps {
  change: Exclude<CredentialChange, { kind: 'remove' }>;
  onClose(): void;
}

const TEXTS = {
  add: {
    act: t('Set'),
    done: t('The credential was set'),
    description: t('It is stored sealed and never shown again.'),
  },
  secret: {
    act: t('Replace'),
    done: t('The secret was replaced'),
    description: t('Calls use the new secret within a second. Its hosts stay.'),
  },
  hosts: {
    act: t('Change'),
    done: t('The hosts were changed'),
    description: t(
      'Other hosts need the secret again: whoever could name them without knowing it could have it sent to a server of their own.',
    ),
  },
};

function SetCredential({ change, onClose }: SetCredentialProps) {
  const { kind } = change;
  const { name = '', username, hosts = [] } = kind === 'add' ? {} : change.credential;
  const start = { name, username: username ?? '', secret: '', hosts: hosts.join('\n') };
  const save = (form: typeof start) => {
    const path = { name: form.name.trim() };
    if (path.name === '') throw refusal('name: must not be empty');
    const listed = form.hosts.split(/[\s,]+/).filter(Boolean);
    if (kind === 'hosts' && listed.length === 0) throw refusal('hosts: must not be empty');
    const user = form.username.trim();
    const body = {
      secret: form.secret,
      ...(user !== '' && { username: user }),
      ...(kind !== 'secret' && { hosts: listed }),
    };
    const params = { path, ...(kind === 'add' && { header: { 'if-none-match': '*' } }) };
    return answerOf(client.PUT(`${CREDENTIALS}/{name}`, { params, body }));
  };
  return (
    <FormDialog
      title={titleOf(change)}
      {...TEXTS[kind]}
      start={start}
      onSubmit={save}
      invalidate={credentialsChanged}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          {kind === 'add' && (
            <TextField
              label={t('Name')}
              help={t('Connectors name it by this. It cannot be changed.')}
              autoComplete="off"
              maxLength={100}
              {...field.text('name')}
            />
          )}
          {kind !== 'hosts' && (
            <TextField
              label={t('User name or client id')}
              help={t('Empty where there is none.')}
              autoComplete="off"
              {...field.text('username')}
            />
          )}
          {kind !== 'secret' && (
            <TextArea
              label={t('Hosts')}
              help={t(
                'One on each line: api.example.com. The secret goes to these alone; with OAuth the host of the token URL, too.',
              )}
              {...field.text('hosts')}
            />
          )}
          <TextField
            label={kind === 'secret' ? t('New secret') : t('Secret')}
            help={t('The password, token, key or client secret.')}
            type="password"
            autoComplete="new-password"
            {...field.text('secret')}
          />
        </>
      )}
    </FormDialog>
  );
}

function titleOf(change: SetCredentialProps['change']): string {
  if (change.kind === 'add') return t('New credential');
  const { name } = change.credential;
  return change.kind === 'secret'
    ? t('Replace the secret of {name}', { name })
    : t('Change the hosts of {name}', { name });
}

/** Shown as a message of the server. */
function refusal(message: string) {
  return { statusCode: 400, error: 'Bad Request', message: [message] };
}

function RemoveCredential({ credential: { name, lastUsedAt }, onClose }: { credential: Credential; onClose(): void }) {
  return (
    <ActDialog
      title={t('Remove {name}?', { name })}
      description={
        lastUsedAt === null
          ? t('The secret is deleted for good. To use it again, set it again.')
          : t('The secret is deleted for good, and calls that name it fail. To use it again, set it again.')
      }
      act={t('Remove')}
      onAct={() => answerOf(client.DELETE(`${CREDENTIALS}/{name}`, { params: { path: { name } } }))}
      invalidate={credentialsChanged}
      done={t('The credential was removed')}
      onClose={onClose}
    />
  );
}
