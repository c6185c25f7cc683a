import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { EditorPage } from '../../../editor/editor-page.tsx';
import { SendingEditor } from '../../../sending/editor.tsx';
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
  return (
    <SendingEditor
      noun="digest"
      stored={digest}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      create={(body) => answerOf(client.POST(DIGESTS, { body }))}
      change={(id, body) => answerOf(client.PATCH(`${DIGESTS}/{id}`, { params: { path: { id } }, body }))}
      invalidate={invalidateDigests}
      scheduled="When it is sent"
      noTargets="No target yet."
    >
      {(part) => (
        <section className="panel padded stack" aria-labelledby="contents">
          <h2 id="contents">What is sent</h2>
          <TextField label="Title" placeholder="Weekly numbers" maxLength={200} {...bind(part).text('title')} />
          <ContentsFields {...part} />
        </section>
      )}
    </SendingEditor>
  );
}
