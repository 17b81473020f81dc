// The record on paper.

document.getElementById("print").addEventListener("click", () => print());
