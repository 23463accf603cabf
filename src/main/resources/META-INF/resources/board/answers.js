/** Fetches an answer of the API. A missing or unavailable endpoint counts as an answer, too. */
export async function ask(path) {
  try {
    const answer = await fetch(path, { cache: 'no-store', headers: { Accept: 'application/json' } });
    const text = await answer.text();
    const body = parsed(text);
    return answer.ok && body ? { body } : { status: answer.status, message: body?.message ?? plain(answer, text), field: body?.field };
  } catch {
    return { status: 0, message: 'the server cannot be reached' };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const plain = (answer, text) =>
  (answer.headers.get('Content-Type') ?? '').startsWith('text/plain') && text.trim().length < 300 ? text.trim() : '';

/** A sentence for a failed request, by its status. */
export function refusal({ status, message }, asked) {
  switch (status) {
    case 0:
      return `${asked} could not be requested: ${message}.`;
    case 404:
      return message || `This Slotwise does not provide ${asked}.`;
    case 503:
      return message || `${asked} is available from the leader, and this replica is not the leader.`;
    default:
      return message || `${asked} could not be loaded (status ${status}).`;
  }
}
