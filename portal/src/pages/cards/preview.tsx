import { useMemo, useState } from 'react';
import { Chart } from '../../card/chart.tsx';
import { DataTable } from '../../card/data-table.tsx';
import { basisInWords, notesForPeople } from '../../card/words.ts';
import { Button } from '../../ui/button.tsx';
import { OtherMessages } from '../../ui/refusal.tsx';
import { ErrorNotice, Loading } from '../../ui/states.tsx';
import type { CardType } from './state.ts';
import type { Preview } from './use-preview.ts';

interface PreviewPanelProps {
  preview: Preview;
  cardType: CardType;
  title: string;
  /** The server's messages without a field in the form. */
  messages: readonly string[];
  /** An error other than a wrong question. */
  fault: unknown;
}

/** The card with the form's config. While a new answer loads, the last picture stays, dimmed. */
export function PreviewPanel({ preview, cardType, title, messages, fault }: PreviewPanelProps) {
  const [asTable, setAsTable] = useState(false);
  const { rendered, isOld, missing } = preview;
  const shown = useMemo(
    () => (rendered?.card.cardType === cardType ? { ...rendered, card: { ...rendered.card, title } } : null),
    [rendered, cardType, title],
  );
  const isBusy = isOld && missing === null && messages.length === 0 && !preview.error;
  return (
    <section className="panel card-preview" aria-labelledby="preview-title">
      <div className="card-preview-head">
        <h2 id="preview-title">{title}</h2>
        <fieldset className="row" aria-label="Show as">
          <Button look={asTable ? 'quiet' : 'plain'} aria-pressed={!asTable} onClick={() => setAsTable(false)}>
            Picture
          </Button>
          <Button look={asTable ? 'plain' : 'quiet'} aria-pressed={asTable} onClick={() => setAsTable(true)}>
            Table
          </Button>
        </fieldset>
      </div>
      <OtherMessages messages={messages} />
      {fault !== null && <ErrorNotice error={fault} />}
      <div className={isOld || missing ? 'card-preview-body old' : 'card-preview-body'} aria-busy={isBusy}>
        {shown && (asTable ? <DataTable rendered={shown} /> : <Chart rendered={shown} />)}
        {!shown && missing === null && isBusy && <Loading what="the preview" height={240} />}
        {!shown && missing !== null && <p className="empty">{missing} The card then appears here.</p>}
      </div>
      <div className="small muted" role="status">
        {missing !== null ? shown && <p>{missing}</p> : shown && !isOld && <Basis rendered={shown} />}
      </div>
    </section>
  );
}

function Basis({ rendered: { basis, notes } }: { rendered: NonNullable<Preview['rendered']> }) {
  return (
    <>
      <p>{basisInWords(basis, navigator.language)}</p>
      {notesForPeople(notes).map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
}
