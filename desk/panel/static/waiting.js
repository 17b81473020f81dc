// A viewer's page between two matches: looks whether the next one has begun.

const EVERY_MS = 1500;

async function look() {
  const answer = await fetch("/api/view").catch(() => null);
  if (answer?.ok) location.assign("/");
}

setInterval(look, EVERY_MS);
