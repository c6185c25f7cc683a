import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { EditorForm } from '../../../editor/editor-form.tsx';
import { useEditor } from '../../../editor/use-editor.ts';
import { type NewSecret, NewSecrets } from '../../../sending/new-secrets.tsx';
import { ScheduleFields } from '../../../sending/schedule-fields.tsx';
import { TargetRows } from '../../../sending/target-rows.tsx';
import { classOf } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/toast.tsx';
import { DIGESTS, type Digest, invalidateDigests } from '../digests.ts';
import { ContentsFields } from './contents-fields.tsx';
import { type DigestForm, requestOf, shownPaths } from './state.ts';

/** `digest` is null for a new one. */
export function Editor({ start, digest }: { start: DigestForm; digest: Digest | null }) {
  const navigate = useNavigate();
  const editing = useEditor(start, requestOf, shownPaths);
  const { form, change, messages } = editing;
  const [saved, setSaved] = useState<Saved | null>(null);

  const save = () =>
    editing.save(
      () => (digest === null ? create(requestOf(form)) : changeDigest(digest.id, editing.changed())),
      async (result) => {
        announce(digest === null ? 'The digest is created' : 'The digest is saved');
        if (result.newSecrets.length > 0) setSaved(result);
        else await navigate({ to: '/digests/$id', params: { id: result.id } });
        await invalidateDigests();
      },
    );

  if (saved !== null) {
    return (
      <NewSecrets secrets={saved.newSecrets}>
        <Link className={classOf({ look: 'primary' })} to="/digests/$id" params={{ id: saved.id }}>
          I have copied them
        </Link>
      </NewSecrets>
    );
  }
  return (
    <EditorForm noun="digest" title={digest?.title ?? null} editing={editing} onSave={() => void save()}>
      <section className="panel padded stack" aria-labelledby="contents">
        <h2 id="contents">What is sent</h2>
        <TextField
          label="Title"
          placeholder="Weekly numbers"
          value={form.title}
          maxLength={200}
          error={messages.at('title')}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <ContentsFields form={form} messages={messages} onChange={change} />
      </section>
      <section className="panel padded stack" aria-labelledby="schedule">
        <h2 id="schedule">When it is sent</h2>
        <ScheduleFields form={form} messages={messages} onChange={change} />
      </section>
      <section className="panel padded stack" aria-labelledby="targets">
        <h2 id="targets">Targets</h2>
        <TargetRows
          rows={form.targets}
          none="No target yet."
          messages={messages}
          onChange={(targets) => change({ targets })}
        />
      </section>
    </EditorForm>
  );
}

interface Saved {
  id: string;
  newSecrets: NewSecret[];
}

async function create(body: Schemas['CreateDigest']): Promise<Saved> {
  const { data, error } = await client.POST(DIGESTS, { body });
  if (!data) throw error;
  return { id: data.digest.id, newSecrets: data.newSecrets };
}

async function changeDigest(id: string, body: Schemas['UpdateDigest']): Promise<Saved> {
  if (Object.keys(body).length === 0) return { id, newSecrets: [] };
  const { data, error } = await client.PATCH(`${DIGESTS}/{id}`, { params: { path: { id } }, body });
  if (!data) throw error;
  return { id, newSecrets: data.newSecrets };
}
