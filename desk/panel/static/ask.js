// Asking the desk, and telling it what people want.

const language = document.documentElement.lang;

/** Ask the desk, or send it `body`; what it refuses, and that it does not answer (`failed`), comes back as `error`. */
export async function askDesk(path, body, failed) {
  try {
    const answer = await fetch(`${path}?lang=${language}`, body === undefined ? {} : {
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
