import { answerOf, client } from '../../../api/client.ts';
import { roleChoices, roleLabel } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { type Versioned, versionedAnswerOf } from '../../../api/versions.ts';
import { EditDialog, ReadFirst } from '../../../editor/edit-dialog.tsx';
import { t } from '../../../language/index.ts';
import { Choices } from '../../../ui/choices.tsx';
import { TextField } from '../../../ui/field.tsx';
import { usersChanged } from './changed.ts';
import { changesOf, formOf, reasonsFor, USER, type User } from './users.ts';

const read = (id: string) => versionedAnswerOf<User>(client.GET(USER, { params: { path: { id } } }));

export function EditUser({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <ReadFirst title={t('Edit the user')} kind="user" id={id} read={() => read(id)} onClose={onClose}>
      {(stored) => <EditForm stored={stored} onClose={onClose} />}
    </ReadFirst>
  );
}

function EditForm({ stored, onClose }: { stored: Versioned<User>; onClose(): void }) {
  const { user: me } = useSession();
  const { id, name, role } = stored.data;
  const reasons = reasonsFor(me, stored.data);
  return (
    <EditDialog
      title={t('Edit {title}', { title: name })}
      stored={stored}
      read={() => read(id)}
      formOf={formOf}
      wordsOf={(form) => [
        [t('Name'), form.name],
        [t('E-mail'), form.email],
        [t('Phone'), form.phone],
        [t('Role'), roleLabel(form.role)],
      ]}
      paths={['name', 'email', 'phone', 'role']}
      changesOf={changesOf}
      send={(body, etag) =>
        answerOf(client.PATCH(USER, { params: { path: { id }, header: { 'if-match': etag } }, body }))
      }
      invalidate={usersChanged}
      done={t('The user is saved')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField label={t('Name')} autoComplete="off" {...field.text('name')} />
          <TextField
            label={t('E-mail')}
            type="email"
            autoComplete="off"
            readOnly={reasons.email !== undefined}
            help={reasons.email}
            {...field.text('email')}
          />
          <TextField label={t('Phone')} type="tel" autoComplete="off" {...field.text('phone')} />
          <Choices
            legend={t('Role')}
            choices={roleChoices(me.role).map((choice) =>
              choice.value === role ? choice : { ...choice, reason: reasons.role ?? choice.reason },
            )}
            {...field.choice('role')}
          />
        </>
      )}
    </EditDialog>
  );
}
