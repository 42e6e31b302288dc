// stan.cpp - functions of arrays.py under Stan Math, with the taping: `stan NAME ROUNDS FOLDER
// SIZE..` reads the numbers of all arguments from FOLDER/in, writes the value and the derivatives
// to FOLDER/out, and prints microseconds.
#include <stan/math/rev/core.hpp>
#include <stan/math/rev/scal/fun/exp.hpp>
#include <stan/math/rev/scal/fun/log.hpp>
#include <stan/math/rev/scal/fun/tanh.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using stan::math::var;
typedef std::vector<var> Vars;
typedef std::vector<int> Sizes;

static double number(const var &x) { return x.val(); }

#include "mixture.hpp"

static var llsq(const var *x, const double *rest, int m, int n)
{
    const double *y = rest, *t = y + n;
    var all = 0.0;
    for (int i = 0; i < n; i++) {
        var off = y[i];
        double power = 1.0;
        for (int j = 0; j < m; j++, power *= t[i])
            off -= x[j] * power;
        all += off * off;
    }
    return 0.5 * all;
}

static var mlp(const var *w1, const double *x, int h, int d, int o, int n)
{
    const var *b1 = w1 + h * d, *w2 = b1 + h, *b2 = w2 + o * h;
    const double *y = x + n * d;
    Vars hidden(h), out(o);
    var all = 0.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < h; j++) {
            var s = b1[j];
            for (int c = 0; c < d; c++)
                s += w1[j * d + c] * x[i * d + c];
            hidden[j] = tanh(s);
        }
        for (int j = 0; j < o; j++) {
            out[j] = b2[j];
            for (int c = 0; c < h; c++)
                out[j] += w2[j * h + c] * hidden[c];
            all -= out[j] * y[i * o + j];
        }
        all += lse(out.data(), o);
    }
    return all / (double)n;
}

int main(int argc, char **argv)
{
    std::string name = argv[1], folder = argv[3];
    Sizes s;
    for (int i = 4; i < argc; i++)
        s.push_back(std::atoi(argv[i]));
    std::vector<double> in(1 << 24), out;
    std::FILE *file = std::fopen((folder + "/in").c_str(), "rb");
    in.resize(std::fread(in.data(), sizeof(double), in.size(), file));
    std::fclose(file);
    int active = name == "lse" || name == "llsq" ? s[0]
                 : name == "mlp" ? s[0] * s[1] + s[0] + s[2] * s[0] + s[2]
                                 : s[0] * (1 + 2 * s[1] + s[2]);
    double best = 1e300;
    for (int round = std::atoi(argv[2]); round > 0; round--) {
        double start = now();
        Vars p(in.begin(), in.begin() + active);
        const double *rest = in.data() + active;
        var value = name == "lse"    ? lse(p.data(), s[0])
                    : name == "llsq" ? llsq(p.data(), rest, s[0], s[1])
                    : name == "mlp"  ? mlp(p.data(), rest, s[0], s[1], s[2], s[3])
                                     : gmm(p.data(), rest, s[0], s[1], s[2], s[3]);
        value.grad();
        out.assign(1, value.val());
        for (const var &v : p)
            out.push_back(v.adj());
        stan::math::recover_memory();
        double time = now() - start;
        best = time < best ? time : best;
    }
    file = std::fopen((folder + "/out").c_str(), "wb");
    std::fwrite(out.data(), sizeof(double), out.size(), file);
    std::fclose(file);
    std::printf("%.4f\n", best);
}
