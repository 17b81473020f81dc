"""Small networks: how they learn, and how they are written down.

In: lessons. Out: weights, and an ONNX file. Open `learning` first.
"""
