import { serverText } from '../language/index.ts';
import { notesForPeople } from './words.ts';

/** The notes of an answer, without those for models. */
export function Notes({ notes }: { notes: readonly (string | undefined)[] | undefined }) {
  return notesForPeople(notes?.filter((note) => note !== undefined)).map((note) => (
    <p key={note} className="small muted">
      {serverText(note)}
    </p>
  ));
}
