// Asking the desk, and telling it what people want.

const language = document.documentElement.lang;

/** Time limits in milliseconds: of a command, and of one that opens a camera, reads a picture or loads a voice. */
export const SOON_MS = 15_000;
export const LATE_MS = 90_000;

/** Ask the desk, or send it `body`; what it refuses, and that it does not answer (`failed`), comes back as `error`. */
export async function askDesk(path, body, failed, limit_ms = SOON_MS) {
  const signal = AbortSignal.timeout(limit_ms);
  try {
    const answer = await fetch(`${path}?lang=${language}`, body === undefined ? { signal } : {
      signal,
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const data = await answer.json();
    return answer.ok ? data : { ...data, error: data.error ?? data.detail ?? answer.statusText };
  } catch {
    return { error: failed };
  }
}
