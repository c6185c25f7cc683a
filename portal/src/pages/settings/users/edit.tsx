import { useEffect, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { type Versioned, versionedAnswerOf } from '../../../api/versions.ts';
import { BothVersions, useConcurrentEdit } from '../../../editor/concurrent-edit.tsx';
import { bind } from '../../../ui/bind.ts';
import { Choices } from '../../../ui/choices.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { usersChanged } from './changed.ts';
import { roleChoices, roleLabel } from './roles.ts';
import { changesOf, formOf, mergedWith, reasonsFor, USER, type User, type UserForm } from './users.ts';

const read = (id: string) => versionedAnswerOf<User>(client.GET(USER, { params: { path: { id } } }));

/** Edits what is stored now, which the page may have read a while ago. */
export function EditDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [stored, setStored] = useState<Versioned<User> | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    read(id).then(setStored, setError);
  }, [id]);
  if (stored) return <EditForm stored={stored} onClose={onClose} />;
  return (
    <Dialog open title="Edit the user" onClose={onClose}>
      {error === null ? <Loading what="the user" height={280} /> : <ErrorNotice error={error} />}
    </Dialog>
  );
}

function EditForm({ stored, onClose }: { stored: Versioned<User>; onClose(): void }) {
  const { user: me } = useSession();
  const user = stored.data;
  const [start, setStart] = useState(() => formOf(user));
  const [form, setForm] = useState(start);
  const { send, theirs, forget } = useConcurrentEdit(stored, () => read(user.id));
  const reasons = reasonsFor(me, user);
  const current = theirs && formOf(theirs);
  // After a conflict, only members that this person has edited differ from those of the other.
  const mine = current ? mergedWith(form, start, current) : form;
  const save = async () => {
    const body = changesOf(mine, current ?? start);
    if (Object.keys(body).length > 0) {
      const params = { path: { id: user.id } };
      await send((etag) =>
        versionedAnswerOf(client.PATCH(USER, { params: { ...params, header: { 'if-match': etag } }, body })),
      );
    }
    await usersChanged();
    announce('The user is saved');
  };
  const takeTheirs = () => {
    if (!current) return;
    setStart(current);
    setForm(current);
    forget();
  };
  const conflict = current && (
    <BothVersions
      noun="user"
      members={[
        { label: 'Name', mine: mine.name, theirs: current.name },
        { label: 'E-mail', mine: mine.email, theirs: current.email },
        { label: 'Phone', mine: mine.phone, theirs: current.phone },
        { label: 'Role', mine: roleLabel(mine.role), theirs: roleLabel(current.role) },
      ]}
      onTakeTheirs={takeTheirs}
    />
  );
  return (
    <FormDialog
      title={`Edit ${user.name}`}
      act="Save"
      paths={['name', 'email', 'phone', 'role']}
      onSubmit={save}
      onClose={onClose}
      conflict={conflict}
    >
      {(messages) => {
        const onChange = (members: Partial<UserForm>) => {
          if (current) setStart(current);
          setForm({ ...mine, ...members });
        };
        const field = bind({ form: mine, messages, onChange });
        return (
          <>
            <TextField label="Name" autoComplete="off" {...field.text('name')} />
            <TextField
              label="E-mail"
              type="email"
              autoComplete="off"
              readOnly={reasons.email !== undefined}
              help={reasons.email}
              {...field.text('email')}
            />
            <TextField label="Phone" type="tel" autoComplete="off" {...field.text('phone')} />
            <Choices
              legend="Role"
              choices={roleChoices(me.role).map((choice) =>
                choice.value === user.role ? choice : { ...choice, reason: reasons.role ?? choice.reason },
              )}
              {...field.choice('role')}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
