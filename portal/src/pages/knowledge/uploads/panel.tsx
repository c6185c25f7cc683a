import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { limitsQuery, type VectorStore } from '../knowledge.ts';
import { useWriteReason } from '../reasons.ts';
import { formatsInWords } from '../words.ts';
import { DropZone } from './drop-zone.tsx';
import type { PickedFile } from './files.ts';
import { refusalsOf, sourceFields } from './refusals.ts';
import { uploads } from './send.ts';
import { UploadItem } from './upload-item.tsx';

const SHOWN = 30;
/** Files that need somebody come first. */
const ORDER = ['refused', 'broken', 'sending', 'busy', 'waiting'] as const;

/** Adds files to a store, and shows how far each is sent. */
export function Uploads({ store: { name, embedder } }: { store: VectorStore }) {
  const { data: limits } = useQuery(limitsQuery);
  const [replaces, setReplaces] = useState(true);
  const writeReason = useWriteReason();
  const isOther = limits !== undefined && limits.embedder !== embedder;
  const reason = writeReason ?? (isOther ? t('The server is set up with another embedder: see below.') : undefined);
  const add = (files: readonly PickedFile[]) => {
    const refusals = refusalsOf(files, limits);
    uploads.forgetSent(name);
    uploads.add(
      files.map(({ path, file }, index) => ({
        ...{ store: name, path, file, refusal: refusals[index] },
        fields: replaces ? sourceFields(path) : {},
      })),
    );
  };
  const formats = limits
    ? t('Files may be {formats}, with up to {most} each.', {
        formats: formatsInWords(limits.extensions),
        most: bytesText(limits.fileBytes),
      })
    : '';
  return (
    <Section id="add-files" title={t('Add files')}>
      <DropZone reason={reason} formats={formats} onFiles={add} />
      <Check
        label={t('A file replaces the one that was added here under the same name')}
        checked={replaces}
        onChange={setReplaces}
      />
      <UploadList store={name} />
    </Section>
  );
}

function UploadList({ store }: { store: string }) {
  const all = useSyncExternalStore(uploads.subscribe, uploads.list).filter((upload) => upload.store === store);
  const open = ORDER.flatMap((state) => all.filter((upload) => upload.state === state));
  const sent = all.filter((upload) => upload.state === 'sent');
  const broken = open.filter(({ state }) => state === 'broken');
  const notes = sent.flatMap(({ path, notes: said }) => said.map((note) => `${path}: ${note}`));
  const failed = open.filter(({ state }) => state === 'refused' || state === 'broken').length;
  return (
    <>
      <p role="status" className="small">
        {all.length > 0 &&
          (failed > 0
            ? t('{sent} of {total} files sent, {failed} not', { sent: sent.length, total: all.length, failed })
            : t.count(all.length, '{sent} of {count} file sent', '{sent} of {count} files sent', {
                sent: sent.length,
              }))}
      </p>
      {broken.length > 1 && (
        <div className="row">
          <Button icon="refresh" onClick={() => uploads.retryAll(store)}>
            {t('Send all again')}
          </Button>
        </div>
      )}
      {open.length > 0 && (
        <ul className="items" aria-label={t('Files that are sent')}>
          {open.slice(0, SHOWN).map((upload) => (
            <UploadItem key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      {open.length > SHOWN && (
        <p className="small muted">{t.count(open.length - SHOWN, 'and {count} more', 'and {count} more')}</p>
      )}
      {notes.slice(0, SHOWN).map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
    </>
  );
}
