/** An answer with its ETag, under which a change of it is sent. */
export interface Versioned<Data> {
  data: Data;
  etag: string;
}

/** The data of an answer with its ETag. Throws the error that the server answered. */
export async function versionedAnswerOf<Data>(
  request: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Versioned<Exclude<Data, undefined>>> {
  const { data, error, response } = await request;
  if (!response.ok) throw error;
  return { data: data as Exclude<Data, undefined>, etag: response.headers.get('etag') ?? '' };
}
