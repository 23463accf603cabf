/**
 * The signed-in user. Where the server requires authentication, a browser signs in on a separate page. Scripts cannot read the
 * cookie.
 */
export const SIGN_IN = '/sign-in.html';
export const UNKNOWN = 401;
const SESSION = '/api/v1/session';

/** Shows the sign-out button to a signed-in user. */
export async function session(button) {
  button.addEventListener('click', async () => {
    await fetch(SESSION, { method: 'DELETE' });
    location.replace(SIGN_IN);
  });
  try {
    const answer = await fetch(SESSION, { cache: 'no-store' });
    const { user, signedIn } = answer.ok ? await answer.json() : {};
    button.hidden = !signedIn;
    button.title = user ? `Signed in as ${user}` : '';
  } catch {
    button.hidden = true;
  }
}
