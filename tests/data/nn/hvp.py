"""Writes `hvp.json`: Hessian-vector products of W2 and W6 by PyTorch's double backward, in double precision.

The networks, their parameters and inputs are those of the other files here. Loss and gradient are checked against them.
Run: python hvp.py
"""

import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F

HERE = Path(__file__).parent
torch.set_default_dtype(torch.float64)


def tensor(array):
    return torch.tensor(array["data"]).reshape(array["shape"])


def perceptron(activation):
    def loss(p, inputs):
        h = activation(inputs["x"] @ p["w1"].T + p["b1"])
        h = activation(h @ p["w2"].T + p["b2"])
        return F.cross_entropy(h @ p["w3"].T + p["b3"], inputs["t"].long())

    return loss


def block(p, inputs):
    x, heads = inputs["x"], 2
    tokens, width = x.shape

    def split(h, name):
        return (h @ p["w" + name].T + p["b" + name]).reshape(tokens, heads, width // heads).transpose(0, 1)

    h = F.layer_norm(x, (width,), p["ln1g"], p["ln1b"], 1e-5)
    q, k, v = (split(h, name) for name in "qkv")
    a = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(width // heads), -1) @ v
    x = x + a.transpose(0, 1).reshape(tokens, width) @ p["wo"].T + p["bo"]
    h = F.layer_norm(x, (width,), p["ln2g"], p["ln2b"], 1e-5)
    y = x + F.gelu(h @ p["w1"].T + p["b1"]) @ p["w2"].T + p["b2"]
    return (y * y).sum()


CASES = {
    "w2_mlp_relu_b4": perceptron(F.relu),
    "w2_mlp_gelu_b4": perceptron(F.gelu),
    "w2_mlp_gelu_tanh_b4": perceptron(lambda x: F.gelu(x, approximate="tanh")),
    "w6_block_s4_d8_h2": block,
}


def products(name, loss):
    file = json.loads((HERE / f"{name}.json").read_text())
    params = {key: tensor(array).requires_grad_() for key, array in file["params"].items()}
    inputs = {key: tensor(array) for key, array in file["inputs"].items()}
    value = loss(params, inputs)
    assert math.isclose(value.item(), file["loss"], rel_tol=1e-13)
    gradient = torch.autograd.grad(value, list(params.values()), create_graph=True)
    largest = max(g.abs().max().item() for g in gradient)
    for key, g in zip(params, gradient):
        assert torch.allclose(g, tensor(file["grads"][key]), rtol=1e-11, atol=1e-13 * largest)
    count, direction = 0, []
    for x in params.values():
        numbers = torch.arange(count + 1, count + 1 + x.numel(), dtype=torch.float64)
        direction.append(torch.sin(0.7 * numbers).reshape(x.shape))
        count += x.numel()
    slope = sum((g * d).sum() for g, d in zip(gradient, direction))
    product = torch.autograd.grad(slope, list(params.values()), allow_unused=True)

    def by_name(tensors):
        tensors = zip(params.items(), tensors)
        some = ((key, torch.zeros_like(x) if t is None else t) for (key, x), t in tensors)
        return {key: {"shape": list(t.shape), "data": t.flatten().tolist()} for key, t in some}

    return {"direction": by_name(direction), "hvp": by_name(product)}


if __name__ == "__main__":
    cases = {name: products(name, loss) for name, loss in CASES.items()}
    reference = f"PyTorch {torch.__version__.split('+')[0]} float64, double backward"
    (HERE / "hvp.json").write_text(json.dumps({"reference": reference, "cases": cases}))
