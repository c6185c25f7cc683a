import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { EditorForm, EditorPage } from '../../../editor/editor-page.tsx';
import { ScheduleFields, TargetRows } from '../../../sending/fields.tsx';
import { useSavedSecrets } from '../../../sending/use-saved-secrets.tsx';
import { bind } from '../../../ui/bind.ts';
import { TextField } from '../../../ui/field.tsx';
import { DIGESTS, type Digest, digestQuery, invalidateDigests } from '../digests.ts';
import { ContentsFields } from './contents-fields.tsx';
import { type DigestForm, emptyForm, formOf, requestOf, shownPaths } from './state.ts';

/** `tab` of the address: what is sent. */
export function NewDigest() {
  const { tab } = useSearch({ from: '/shell/digests/new-digest' });
  return (
    <EditorPage noun="digest" right="alerts:write">
      {() => <Editor key={tab} start={emptyForm(tab)} digest={null} />}
    </EditorPage>
  );
}

export function EditDigest() {
  const { id } = useParams({ from: '/shell/digests/$id/edit' });
  const query = useQuery({ ...digestQuery(id), refetchInterval: false });
  return (
    <EditorPage noun="digest" right="alerts:write" query={query}>
      {(stored) => stored && <Editor key={id} start={formOf(stored.digest)} digest={stored.digest} />}
    </EditorPage>
  );
}

/** `digest` is null for a new one. */
function Editor({ start, digest }: { start: DigestForm; digest: Digest | null }) {
  const { secrets, onSaved } = useSavedSecrets('digest', digest === null, invalidateDigests);
  if (secrets) return secrets;
  const send = async (form: DigestForm, changed: object) => {
    if (digest === null) {
      const { digest: created, newSecrets } = await answerOf(client.POST(DIGESTS, { body: requestOf(form) }));
      return { id: created.id, newSecrets };
    }
    const { id } = digest;
    if (Object.keys(changed).length === 0) return { id, newSecrets: [] };
    const params = { path: { id } };
    const { newSecrets } = await answerOf(client.PATCH(`${DIGESTS}/{id}`, { params, body: changed }));
    return { id, newSecrets };
  };
  return (
    <EditorForm
      noun="digest"
      title={digest?.title ?? null}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      send={send}
      onSaved={onSaved}
    >
      {(part) => (
        <>
          <section className="panel padded stack" aria-labelledby="contents">
            <h2 id="contents">What is sent</h2>
            <TextField label="Title" placeholder="Weekly numbers" maxLength={200} {...bind(part).text('title')} />
            <ContentsFields {...part} />
          </section>
          <section className="panel padded stack" aria-labelledby="schedule">
            <h2 id="schedule">When it is sent</h2>
            <ScheduleFields {...part} />
          </section>
          <section className="panel padded stack" aria-labelledby="targets">
            <h2 id="targets">Targets</h2>
            <TargetRows none="No target yet." {...part} />
          </section>
        </>
      )}
    </EditorForm>
  );
}
