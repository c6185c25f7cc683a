import { client, type Schemas } from '../../../api/client.ts';
import { EditorForm, useEditor } from '../../../editor/editor-page.tsx';
import { ScheduleFields, TargetRows } from '../../../sending/fields.tsx';
import { type Saved, useSavedSecrets } from '../../../sending/use-saved-secrets.tsx';
import { TextField } from '../../../ui/field.tsx';
import { DIGESTS, type Digest, invalidateDigests } from '../digests.ts';
import { ContentsFields } from './contents-fields.tsx';
import { type DigestForm, requestOf, shownPaths } from './state.ts';

/** `digest` is null for a new one. */
export function Editor({ start, digest }: { start: DigestForm; digest: Digest | null }) {
  const editing = useEditor(start, requestOf, shownPaths);
  const { form, change, messages } = editing;
  const { secrets, onSaved } = useSavedSecrets('digest', digest === null, invalidateDigests);
  if (secrets) return secrets;

  const save = () =>
    editing.save(
      () => (digest === null ? create(requestOf(form)) : changeDigest(digest.id, editing.changed())),
      onSaved,
    );
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
